import type { Queryable } from '../db/db.ts';

/** Which events may name a person: those about them, and those whose texts contain one of the words, in any case. */
export type SearchedEvents = { programIds: number[]; customerIds: number[]; partnerIds: number[]; words: string[] };

/** What an event says, and whom it is about. */
export type EventTexts = {
  customerId: number | null;
  partnerId: number | null;
  facts: Record<string, unknown> | null;
  gone: Record<string, unknown> | null;
  more: Record<string, unknown> | null;
};

/** The condition for an event `o`, numbered or not, with the parameters of `searchedFor`. */
export const NAMES_A_PERSON = `
  o.program_id = any ($1::bigint[]) and (o.customer_id = any ($2::bigint[]) or o.partner_id = any ($3::bigint[]) or exists (
    select from unnest($4::text[]) word where position(lower(word) in lower(concat_ws(' ', o.facts, o.gone, o.more))) > 0))`;

export const searchedFor = ({ programIds, customerIds, partnerIds, words }: SearchedEvents) => [
  programIds,
  customerIds,
  partnerIds,
  words,
];

type WaitingTexts = EventTexts & { id: number };

/**
 * Locks the waiting events that may name a person. It waits for those that are being numbered, so that they are in the feed
 * afterwards.
 */
export function listWaitingNaming(tx: Queryable, searched: SearchedEvents): Promise<WaitingTexts[]> {
  return tx.query<WaitingTexts>(
    `select o.id, o.customer_id as "customerId", o.partner_id as "partnerId", o.facts, o.gone, o.more
     from outbox o where ${NAMES_A_PERSON} for update`,
    searchedFor(searched),
  );
}

export async function updateWaitingTexts(tx: Queryable, { id, facts, gone, more }: WaitingTexts): Promise<void> {
  const texts = [facts, gone, more].map((text) => text && JSON.stringify(text));
  await tx.query('update outbox set facts = $2::json, gone = $3::json, more = $4::json where id = $1', [id, ...texts]);
}
