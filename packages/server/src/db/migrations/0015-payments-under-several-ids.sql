-- One payment under several ids, payments that paid several invoices, and disputes by name.

lock table sales, processor_payment_links, processor_events in access exclusive mode;

-- How much of the invoice the payment paid. Null: not known, as in rows of an earlier release.
alter table processor_payment_links add column amount_cents bigint check (amount_cents >= 0);
-- One payment may pay several invoices.
alter table processor_payment_links drop constraint processor_payment_links_pkey;
alter table processor_payment_links add primary key (program_id, reference, transaction_id);

-- The part of `refunded_cents` that disputes hold back or took.
alter table sales add column disputed_cents bigint not null default 0 check (disputed_cents >= 0);

-- What to correct in the shop, if the event shows it: a misspelt metadata field.
alter table processor_events add column hint text;

-- Finds the recent payments of subscriptions, to check whether their refunds can be attributed.
create index sales_by_stage on sales (program_id, created_at) where subscription_stage is not null;
