import type { Queryable } from '../db/db.ts';

/** Which events may name somebody: those about them, and those whose texts contain one of the words, in any case. */
export type SearchedEvents = { programIds: number[]; customerIds: number[]; partnerIds: number[]; words: string[] };

/** What a waiting event says, and whom it is about. */
export type WaitingTexts = {
  id: number;
  customerId: number | null;
  partnerId: number | null;
  facts: Record<string, unknown> | null;
  gone: Record<string, unknown> | null;
  more: Record<string, unknown> | null;
};

/**
 * Locks the waiting events that may name somebody. It waits for those that are being numbered, so that they are in the feed
 * afterwards.
 */
export function listWaitingNaming(tx: Queryable, searched: SearchedEvents): Promise<WaitingTexts[]> {
  return tx.query<WaitingTexts>(
    `select o.id, s.customer_id as "customerId", s.partner_id as "partnerId", o.facts, o.gone, o.more
     from outbox o cross join lateral (
       select (case o.subject when 'customer' then r.row -> 'id' else r.row -> 'customer_id' end)::text::bigint as customer_id,
         (case o.subject when 'partner' then r.row -> 'id' else r.row -> 'partner_id' end)::text::bigint as partner_id
       from (select jsonb_strip_nulls(coalesce(o.gone, o.facts)) as row) r
     ) s
     where o.program_id = any ($1::bigint[]) and (s.customer_id = any ($2::bigint[]) or s.partner_id = any ($3::bigint[])
       or exists (
         select from unnest($4::text[]) word
         where position(lower(word) in lower(concat_ws(' ', o.facts, o.gone, o.more))) > 0))
     for update of o`,
    [searched.programIds, searched.customerIds, searched.partnerIds, searched.words],
  );
}

export async function updateWaitingTexts(tx: Queryable, { id, facts, gone, more }: WaitingTexts): Promise<void> {
  const json = (value: object | null) => value && JSON.stringify(value);
  await tx.query('update outbox set facts = $2::jsonb, gone = $3::jsonb, more = $4::jsonb where id = $1', [
    id,
    json(facts),
    json(gone),
    json(more),
  ]);
}
