/** The code of a refusal that is over once the user has proven who they are. */
export const CONFIRMATION_REQUIRED = 'confirmation_required';

/** Asks the user to prove who they are; false when they would rather not. */
type Ask = () => Promise<boolean>;

let ask: Ask | null = null;

/** From now on, this asks the user; null when nothing can. */
export function setConfirmation(handler: Ask | null): void {
  ask = handler;
}

export async function confirmIdentity(): Promise<boolean> {
  return ask ? ask() : false;
}
