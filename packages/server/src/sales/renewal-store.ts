import type { CommissionType } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

export type Renewal = {
  saleId: number;
  commissionId: number;
  partnerId: number;
  transactionId: string;
  paidAt: Date;
  period: 'renewal' | 'change';
  /** Of the terms that the payment was judged by. */
  type: CommissionType;
  recurringMonths: number;
  termsVersion: number;
};

// Sales of an earlier release have no version: the one in force when they were paid is meant.
const LIST_LIMITED_RENEWALS = `
  select s.id as "saleId", c.id as "commissionId", c.partner_id as "partnerId", s.processor_event_id as "transactionId",
    s.created_at as "paidAt", case when s.is_recurring then 'renewal' else 'change' end as period,
    s.commission_type as type, v.recurring_months as "recurringMonths", v.version as "termsVersion"
  from sales s
  join commissions c on c.sale_id = s.id and c.kind = 'sale'
  cross join lateral (
    select v.version, v.recurring_months, v.rules from terms_versions v
    where v.program_id = s.program_id
      and (v.version = s.terms_version
        or s.terms_version is null and (v.effective_from <= s.created_at or v.version = 1))
    order by v.version desc limit 1) v
  where s.customer_id = $1 and s.program_id = $2 and c.stage in ('pending', 'approved')
    and v.recurring_months is not null and (s.rule is null or s.rule > jsonb_array_length(v.rules))
    and (s.is_recurring or s.subscription_stage = 'change' and exists (
      select 1 from sales e
      where e.program_id = s.program_id and e.subscription_id = s.subscription_id and not e.is_test
        and (e.created_at, e.processor_event_id) < (s.created_at, s.processor_event_id)))`;

/**
 * The time of the customer's first sale, and the renewals and changes that are paid for a number of months only and whose
 * commission is not paid yet.
 */
export async function listLimitedRenewals(
  db: Queryable,
  programId: number,
  customerId: number,
): Promise<{ firstSaleAt: Date | null; renewals: Renewal[] }> {
  const renewals = await db.query<Renewal>(LIST_LIMITED_RENEWALS, [customerId, programId]);
  if (renewals.length === 0) return { firstSaleAt: null, renewals };
  const [customer] = await db.query<{ convertedAt: Date | null }>(
    'select converted_at as "convertedAt" from customers where id = $1 and program_id = $2',
    [customerId, programId],
  );
  return { firstSaleAt: customer?.convertedAt ?? null, renewals };
}
