/** What the user has to prove who they are with. */
export type Proof = 'anything' | 'second factor';

/** The codes of refusals that are over once the user has proven who they are. */
const REFUSALS: Record<string, Proof> = {
  confirmation_required: 'anything',
  factor_confirmation_required: 'second factor',
};

/** What a refusal with this code asks for; undefined when it is about something else. */
export const proofAskedBy = (code: string | undefined): Proof | undefined => REFUSALS[code ?? ''];

/** Asks the user to prove who they are; false when they would rather not. */
type Ask = (proof: Proof) => Promise<boolean>;

let ask: Ask | null = null;

/** From now on, this asks the user; null when nothing can. */
export function setConfirmation(handler: Ask | null): void {
  ask = handler;
}

export async function confirmIdentity(proof: Proof): Promise<boolean> {
  return ask ? ask(proof) : false;
}
