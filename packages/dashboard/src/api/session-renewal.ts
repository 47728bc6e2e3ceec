/** Asks the user to sign in again; false when there was no session, or they would rather not. */
type Ask = () => Promise<boolean>;

let ask: Ask | null = null;

/** From now on, this asks the user; null when nothing can. */
export function setSessionRenewal(handler: Ask | null): void {
  ask = handler;
}

export async function renewSession(): Promise<boolean> {
  return ask ? ask() : false;
}
