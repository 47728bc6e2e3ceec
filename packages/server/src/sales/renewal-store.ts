import type { Queryable } from '../db/db.ts';

export type Renewal = {
  saleId: number;
  commissionId: number;
  partnerId: number;
  transactionId: string;
  paidAt: Date;
  period: 'renewal' | 'change';
};

/** The time of the customer's first sale, and the renewals and changes whose commission is not paid yet. */
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
       s.processor_event_id as "transactionId", s.created_at as "paidAt",
       case when s.is_recurring then 'renewal' else 'change' end as period
     from sales s join commissions c on c.sale_id = s.id
     where s.customer_id = $1 and s.program_id = $2 and c.stage in ('pending', 'approved')
       and (s.is_recurring or s.subscription_stage = 'change' and exists (
         select 1 from sales e
         where e.program_id = s.program_id and e.subscription_id = s.subscription_id and not e.is_test
           and (e.created_at, e.processor_event_id) < (s.created_at, s.processor_event_id)))`,
    [customerId, programId],
  );
  return { firstSaleAt: customer?.convertedAt ?? null, renewals };
}
