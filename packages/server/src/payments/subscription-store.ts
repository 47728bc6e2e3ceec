import type { Queryable } from '../db/db.ts';
import type { SubscriptionPayment } from '../sales/subscription-store.ts';

/** A payment of a subscription of a program. */
export type PaymentOfProgram = SubscriptionPayment & { programId: number };

/** Stores when subscriptions were first paid for, no matter who paid. */
export async function upsertFirstPayments(db: Queryable, payments: PaymentOfProgram[]): Promise<void> {
  if (payments.length === 0) return;
  const rows = payments.map(({ programId, subscriptionId, stage, transactionId, paidAt }) => ({
    program_id: programId,
    subscription_id: subscriptionId,
    first_paid_at: paidAt,
    first_is_start: stage === 'start',
    first_transaction_id: transactionId,
  }));
  await db.query(
    `insert into processor_subscriptions as f
       (program_id, subscription_id, first_paid_at, first_is_start, first_transaction_id)
     select distinct on (program_id, subscription_id)
       program_id, subscription_id, first_paid_at, first_is_start, first_transaction_id
     from json_populate_recordset(null::processor_subscriptions, $1::json)
     order by program_id, subscription_id, first_paid_at, not first_is_start, first_transaction_id
     on conflict (program_id, subscription_id) do update set first_paid_at = excluded.first_paid_at,
       first_is_start = excluded.first_is_start, first_transaction_id = excluded.first_transaction_id
       where (excluded.first_paid_at, not excluded.first_is_start, excluded.first_transaction_id)
         < (f.first_paid_at, not f.first_is_start, f.first_transaction_id)`,
    [JSON.stringify(rows)],
  );
}

/** Whether this is the first payment of its subscription, as far as it is known. */
export async function isFirstPayment(
  db: Queryable,
  { programId, subscriptionId, transactionId }: PaymentOfProgram,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from processor_subscriptions
     where program_id = $1 and subscription_id = $2 and first_transaction_id = $3`,
    [programId, subscriptionId, transactionId],
  );
  return rows.length > 0;
}

/** Deletes what is known about these subscriptions, which references may name with their processor and kind in front. */
export async function deleteFirstPayments(db: Queryable, programId: number, references: string[]): Promise<void> {
  await db.query(
    `delete from processor_subscriptions
     where program_id = $1 and subscription_id = any (select regexp_replace(r, '^[a-z_]+:(subscription:)?', '') from unnest($2::text[]) r)`,
    [programId, references],
  );
}
