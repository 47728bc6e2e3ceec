import type { CommissionType } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { HAS_EARLIER_PAYMENT } from './subscription-store.ts';

export type Renewal = {
  saleId: number;
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
  select s.id as "saleId", c.partner_id as "partnerId", s.processor_event_id as "transactionId",
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
    and (s.is_recurring or s.subscription_stage = 'change' and ${HAS_EARLIER_PAYMENT})`;

/** The renewals and changes that the commission settings pay for a number of months only, if the commission is not paid yet. */
export function listLimitedRenewals(db: Queryable, programId: number, customerId: number): Promise<Renewal[]> {
  return db.query<Renewal>(LIST_LIMITED_RENEWALS, [customerId, programId]);
}

export type SaleOfLimitedRule = {
  saleId: number;
  partnerId: number;
  transactionId: string;
  paidAt: Date;
  termsVersion: number;
  /** Of the rule, or the fewer of those of its partner and of their recruiter. */
  months: number;
};

/** The sales that a rule pays for a number of months only, if the commission is not paid yet. */
export function listSalesOfLimitedRules(
  db: Queryable,
  programId: number,
  customerId: number,
): Promise<SaleOfLimitedRule[]> {
  return db.query<SaleOfLimitedRule>(
    `select s.id as "saleId", s.partner_id as "partnerId", s.processor_event_id as "transactionId", s.created_at as "paidAt",
       s.terms_version as "termsVersion", min((v.rules -> (c.rule - 1) -> 'pays' ->> 'months')::int) as months
     from sales s
     join commissions c on c.sale_id = s.id and c.kind in ('sale', 'override') and c.stage in ('pending', 'approved')
     join terms_versions v on v.program_id = s.program_id and v.version = c.terms_version
     where s.customer_id = $1 and s.program_id = $2 and v.rules -> (c.rule - 1) -> 'pays' ? 'months'
     group by s.id`,
    [customerId, programId],
  );
}

/** When the customer first bought something, as far as it is known. */
export async function findFirstSaleAt(db: Queryable, programId: number, customerId: number): Promise<Date | null> {
  const [customer] = await db.query<{ convertedAt: Date | null }>(
    'select converted_at as "convertedAt" from customers where id = $1 and program_id = $2',
    [customerId, programId],
  );
  return customer?.convertedAt ?? null;
}
