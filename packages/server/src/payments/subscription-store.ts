import type { Queryable } from '../db/db.ts';
import type { SubscriptionPayment } from '../sales/subscription-store.ts';

/** Stores when a subscription was first paid for, no matter who paid. Returns whether this is the first payment known so far. */
export async function upsertFirstPayment(
  db: Queryable,
  programId: number,
  { subscriptionId, stage, transactionId, paidAt }: SubscriptionPayment,
): Promise<boolean> {
  const rows = await db.query(
    `insert into processor_subscriptions as f
       (program_id, subscription_id, first_paid_at, first_is_start, first_transaction_id)
     values ($1, $2, $3, $4, $5)
     on conflict (program_id, subscription_id) do update set first_paid_at = excluded.first_paid_at,
       first_is_start = excluded.first_is_start, first_transaction_id = excluded.first_transaction_id
       where (excluded.first_paid_at, not excluded.first_is_start, excluded.first_transaction_id)
         < (f.first_paid_at, not f.first_is_start, f.first_transaction_id)
     returning 1`,
    [programId, subscriptionId, paidAt, stage === 'start', transactionId],
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
