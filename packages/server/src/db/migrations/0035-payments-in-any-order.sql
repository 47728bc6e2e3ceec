-- The result of events does not depend on their order: what is learnt about payments is kept, whatever came of them.

-- Every lock of the migration first, in the order of the writers.
lock table sales in access exclusive mode;
lock table programs in share row exclusive mode;
lock table processor_charges, processor_deductions, processor_connections, processor_events in access exclusive mode;

-- When a subscription was first paid for, whoever paid. Payments that became no sale count too: who subscribed before they clicked
-- brings renewals only.
create table processor_subscriptions (
  program_id bigint not null references programs (id),
  subscription_id text collate "C" not null,
  first_paid_at timestamptz not null,
  -- Within a second, the start comes before everything else.
  first_is_start boolean not null,
  first_transaction_id text collate "C" not null,
  primary key (program_id, subscription_id)
);

-- The part of a charge that was never captured. Older versions of Stripe's API report it as refunded.
alter table processor_charges add column uncaptured_cents bigint not null default 0;

-- How much of a refund or dispute is tax. Null: not known, so the same share as of the sale.
alter table processor_deductions add column tax_cents bigint;

-- How much of the refunded amount is tax beyond its share. It takes nothing from a commission on the net amount.
alter table sales add column refunded_tax_only_cents bigint not null default 0;

-- Signatures that fit a secret but were too old.
alter table processor_connections add column late_signatures integer not null default 0;
alter table processor_connections add column last_late_at timestamptz;

-- Programs take turns.
create index processor_events_due_by_program on processor_events (program_id, due_at, id) where state = 'waiting';
-- Customers of the processor whom the program did not know, by the processor's ids.
create index processor_events_not_yet_customers on processor_events using gin (waits_for) where outcome = 'not_a_customer_yet';
-- Whether a sale to a customer rests on a claimed key, however many they have.
create index sales_of_claimed_keys on sales (customer_id) where hold_reason = 'claimed_key';
