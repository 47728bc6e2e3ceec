import type { CommissionType } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { SubscriptionStage } from './sale.ts';

/** Whether the subscription has a sale before this payment. */
export async function hasEarlierPayment(
  db: Queryable,
  programId: number,
  subscriptionId: string,
  payment: { transactionId: string; paidAt: Date; isTest: boolean },
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from sales
     where program_id = $1 and subscription_id = $2 and is_test = $3
       and (created_at, processor_event_id) < ($4, $5) and processor_event_id <> $5 limit 1`,
    [programId, subscriptionId, payment.isTest, payment.paidAt, payment.transactionId],
  );
  return rows.length > 0;
}

export type SubscriptionPayment = {
  saleId: number;
  transactionId: string;
  stage: SubscriptionStage | null;
  isRecurring: boolean;
  customerId: number;
  commissionType: CommissionType;
  /** Null if the sale has no commission. */
  commissionId: number | null;
  partnerId: number | null;
  termsVersion: number | null;
};

/** The real payments of a subscription, in the order in which they were made. */
export function listSubscriptionPayments(
  db: Queryable,
  programId: number,
  subscriptionId: string,
): Promise<SubscriptionPayment[]> {
  return db.query<SubscriptionPayment>(
    `select s.id as "saleId", s.processor_event_id as "transactionId", s.subscription_stage as stage,
       s.is_recurring as "isRecurring", s.customer_id as "customerId", s.commission_type as "commissionType",
       c.id as "commissionId", c.partner_id as "partnerId", s.terms_version as "termsVersion"
     from sales s left join commissions c on c.sale_id = s.id and c.kind = 'sale'
     where s.program_id = $1 and s.subscription_id = $2 and not s.is_test
     order by s.created_at, s.processor_event_id`,
    [programId, subscriptionId],
  );
}
