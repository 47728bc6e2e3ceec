/** Where the money of one payout goes, in the spelling of the contract. */
export type Destination =
  | { kind: 'paypal'; email: string }
  | { kind: 'wise'; email: string }
  | { kind: 'iban'; iban: string; bic?: string | undefined }
  | { kind: 'us_bank'; routing_number: string; account_number: string; account_type: 'checking' | 'savings' }
  | { kind: 'other'; text: string };

export type Holder = { holderName: string; holderKind: 'person' | 'company'; country: string };

/** One payout of a run. Its end-to-end id comes back in the reports of banks and PayPal. */
export type PayoutItem = Holder & {
  endToEndId: string;
  amountCents: number;
  currency: string;
  destination: Destination;
  partnerId: number;
  partnerName: string;
  /** What the partner reads beside the amount. */
  note: string;
};

export type ItemTo<Kind extends Destination['kind']> = PayoutItem & {
  destination: Extract<Destination, { kind: Kind }>;
};

/** Who pays, in the spelling of the contract. Each bank file needs its part of it. */
export type Payer = {
  name: string;
  iban?: string | undefined;
  bic?: string | undefined;
  ach?: { company_id: string; company_name: string; odfi_routing: string; destination_name: string } | undefined;
  paypal_decimal?: '.' | ',' | undefined;
};

/** The run that a file belongs to. Files take their ids and dates from it alone, so that the same run gives the same bytes. */
export type FileRun = { runNumber: number; programName: string; at: Date };

/** What a checker found in the bytes of a file: what is wrong with them, in words, and which payouts they would make. */
export type CheckedFile = { problems: string[]; payouts: { endToEndId: string; amountCents: number }[] };

/** The id under which banks know a payout. It has at most 15 characters, which is what the shortest format holds. */
export function endToEndIdOf(payoutId: number): string {
  return `P${payoutId}`;
}

/** The payout of an end-to-end id, or null if we did not write it. */
export function payoutIdOf(endToEndId: string): number | null {
  const digits = /^P([1-9][0-9]{0,13})$/.exec(endToEndId)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The id of a bank message. Payout ids are unique in the service, so no two messages of a payer share one. */
export function messageIdOf(runNumber: number, first: { endToEndId: string }): string {
  return `R${runNumber}-${first.endToEndId}`;
}

/** What a message id says about its run, or null if we did not write it. */
export function readMessageId(id: string): { runNumber: number; firstEndToEndId: string } | null {
  const [, run, first] = /^R([1-9][0-9]{0,14})-(P[1-9][0-9]{0,13})$/.exec(id) ?? [];
  return run && first ? { runNumber: Number(run), firstEndToEndId: first } : null;
}
