import type { CommissionType } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { SubscriptionStage } from './sale.ts';

/** The payments of a subscription are ordered by their time. Within a second its start comes first, whatever the ids are. */
const position = (sale: string) =>
  `(${sale}.created_at, ${sale}.subscription_stage is distinct from 'start', ${sale}.processor_event_id)`;
const FIRST_PAID = '(f.first_paid_at, not f.first_is_start, f.first_transaction_id)';

/** Whether a payment of the subscription precedes that of the row `s`: a sale, or a payment that became none. */
export const HAS_EARLIER_PAYMENT = `(
  exists (
    select 1 from sales e
    where e.program_id = s.program_id and e.subscription_id = s.subscription_id and e.is_test = s.is_test
      and e.created_at <= s.created_at and e.processor_event_id <> s.processor_event_id
      and ${position('e')} < ${position('s')})
  or not s.is_test and exists (
    select 1 from processor_subscriptions f
    where f.program_id = s.program_id and f.subscription_id = s.subscription_id
      and f.first_transaction_id <> s.processor_event_id and ${FIRST_PAID} < ${position('s')}))`;

export type SubscriptionPayment = {
  subscriptionId: string;
  stage: SubscriptionStage | undefined;
  transactionId: string;
  paidAt: Date;
  isTest: boolean;
};

/** Whether the subscription was paid for before this payment, no matter who paid. */
export async function hasEarlierPayment(
  db: Queryable,
  programId: number,
  { subscriptionId, isTest, paidAt, stage, transactionId }: SubscriptionPayment,
): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(
    `select ${HAS_EARLIER_PAYMENT} as found from (
       select $1::bigint as program_id, $2::text as subscription_id, $3::boolean as is_test, $4::timestamptz as created_at,
         $5::text as subscription_stage, $6::text collate "C" as processor_event_id) s`,
    [programId, subscriptionId, isTest, paidAt, stage ?? null, transactionId],
  );
  return row?.found ?? false;
}

export type LaterPayment = {
  saleId: number;
  transactionId: string;
  stage: SubscriptionStage;
  isRecurring: boolean;
  customerId: number;
  commissionType: CommissionType;
  /** Null if the sale has no commission. */
  commissionId: number | null;
  partnerId: number | null;
  termsVersion: number | null;
};

/** The real payments of a subscription from a time on that were recorded as its first and are not. */
export function listLaterPayments(
  db: Queryable,
  programId: number,
  subscriptionId: string,
  from: Date,
  /** The types that pay nothing for a renewal, and nothing for a change. */
  unpaid: Record<'renewals' | 'changes', CommissionType[]>,
): Promise<LaterPayment[]> {
  return db.query<LaterPayment>(
    `select s.id as "saleId", s.processor_event_id as "transactionId", s.subscription_stage as stage,
       s.is_recurring as "isRecurring", s.customer_id as "customerId", s.commission_type as "commissionType",
       c.id as "commissionId", c.partner_id as "partnerId", s.terms_version as "termsVersion"
     from sales s left join commissions c on c.sale_id = s.id and c.kind = 'sale'
     where s.program_id = $1 and s.subscription_id = $2 and not s.is_test and s.created_at >= $3
       and (s.subscription_stage = 'cycle' and (not s.is_recurring or c.id is not null and s.commission_type = any ($4::text[]))
         or s.subscription_stage = 'change'
           and (c.id is not null and s.commission_type = any ($5::text[]) or s.terms_facts ->> 'period' = 'first'))
       and ${HAS_EARLIER_PAYMENT}
     order by s.created_at, s.id`,
    [programId, subscriptionId, from, unpaid.renewals, unpaid.changes],
  );
}
