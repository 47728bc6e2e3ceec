import type { Queryable } from '../db/db.ts';

export type IdentifyingDecision = { id: number; facts: Record<string, unknown>; transactionId: string | null };

/** Decisions about the customers, and attempts that named one of their keys or clicks. */
export function listDecisionsNaming(
  db: Queryable,
  programId: number,
  { customerIds, keys, clickIds }: { customerIds: number[]; keys: string[]; clickIds: string[] },
): Promise<IdentifyingDecision[]> {
  return db.query<IdentifyingDecision>(
    `select id, facts, transaction_id as "transactionId" from decisions where program_id = $1 and id in (
       select id from decisions where customer_id = any ($2::bigint[])
       union
       select id from decisions where program_id = $1 and customer_key = any ($3::text[])
       union
       select id from decisions where program_id = $1 and click_id = any ($4::text[]))`,
    [programId, customerIds, keys, clickIds],
  );
}

/** Removes who decisions are about. The facts are those that may stay. */
export async function updateAnonymous(db: Queryable, decisions: IdentifyingDecision[]): Promise<void> {
  if (decisions.length === 0) return;
  const rows = decisions.map(({ id, facts, transactionId }) => ({ id, facts, transaction_id: transactionId }));
  await db.query(
    `update decisions d set customer_key = null, click_id = null, additional_data = null, facts = i.facts,
       transaction_id = i.transaction_id
     from json_populate_recordset(null::decisions, $1::json) i where d.id = i.id`,
    [JSON.stringify(rows)],
  );
}
