import type { Queryable } from '../db/db.ts';

/** What may name a customer: why a commission was given by hand or rejected, and the coupon that terms asked for. */
export type CommissionTexts = { id: number; reason: string | null; rejectionReason: string | null; facts: unknown };

/** The commissions on sales to the customers and on their leads, and all others whose texts contain one of the words. */
export function listCommissionTexts(
  db: Queryable,
  programId: number,
  { customerIds, words }: { customerIds: number[]; words: string[] },
): Promise<CommissionTexts[]> {
  return db.query<CommissionTexts>(
    `select id, reason, rejection_reason as "rejectionReason", terms_facts as facts from commissions where id in (
       select m.id from commissions m join sales s on s.id = m.sale_id where s.customer_id = any ($2::bigint[])
       union
       select id from commissions where customer_id = any ($2::bigint[])
       union
       select id from commissions where program_id = $1 and (reason is not null or rejection_reason is not null)
         and exists (select from unnest($3::text[]) word where position(word in concat_ws(' ', reason, rejection_reason)) > 0))
     order by id`,
    [programId, customerIds, words],
  );
}

export async function updateCommissionTexts(db: Queryable, texts: CommissionTexts[]): Promise<void> {
  for (const { id, reason, rejectionReason, facts } of texts) {
    await db.query('update commissions set reason = $2, rejection_reason = $3, terms_facts = $4::jsonb where id = $1', [
      id,
      reason,
      rejectionReason,
      facts === null ? null : JSON.stringify(facts),
    ]);
  }
}
