import type { Queryable } from '../db/db.ts';
import { decisionJson, decisionRows, insertDecisionsFrom } from '../decisions/decision-store.ts';

export type Renewal = { saleId: number; commissionId: number; partnerId: number; transactionId: string; paidAt: Date };

/** The customer's first sale, and the renewals that earned a commission which is not paid yet. */
export async function listRenewals(
  db: Queryable,
  programId: number,
  customerId: number,
): Promise<{ firstSaleAt: Date | null; renewals: Renewal[] }> {
  const [customer] = await db.query<{ convertedAt: Date | null }>(
    'select converted_at as "convertedAt" from customers where id = $1 and program_id = $2',
    [customerId, programId],
  );
  const renewals = await db.query<Renewal>(
    `select s.id as "saleId", c.id as "commissionId", c.partner_id as "partnerId",
       s.processor_event_id as "transactionId", s.created_at as "paidAt"
     from sales s join commissions c on c.sale_id = s.id
     where s.customer_id = $1 and s.program_id = $2 and s.is_recurring and c.stage in ('pending', 'approved')`,
    [customerId, programId],
  );
  return { firstSaleAt: customer?.convertedAt ?? null, renewals };
}

/** Removes the commission, unless it is or was in a payout, and says in a decision why. */
export async function deleteUnpaidCommission(
  db: Queryable,
  renewal: Renewal & { programId: number; customerId: number },
  now: Date,
): Promise<void> {
  const decision = decisionJson([
    {
      programId: renewal.programId,
      kind: 'commission',
      outcome: 'not_attributed',
      reason: 'renewal_without_commission',
      facts: {},
      source: 'processor',
      customerId: renewal.customerId,
      partnerId: renewal.partnerId,
      saleId: renewal.saleId,
      transactionId: renewal.transactionId,
      requestId: null,
      isTest: false,
      createdAt: now,
    },
  ]);
  await db.query(
    `with removed as (
       delete from commissions where id = $1 and stage in ('pending', 'approved')
         and not exists (select 1 from payout_lines where commission_id = $1)
       returning sale_id as removed_sale
     ), sale as (
       update sales set commission_state = 'none' from removed where id = removed_sale
     )
     ${insertDecisionsFrom(`removed, ${decisionRows('$2')}`)}`,
    [renewal.commissionId, decision],
  );
}
