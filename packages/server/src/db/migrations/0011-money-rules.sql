-- Ids of test sales are separate from real ones, owed commissions are retried with exponential backoff, and commissions on
-- self-referrals wait for the brand.

-- In the order in which sales are written, so that a concurrent sale cannot deadlock with this migration.
lock table transactions, sales, commissions, customers in access exclusive mode;

-- A real id is unique across all programs, a test id within its program. A node of the previous release fills in the default:
-- the test ids that it claims count as real ones, as they did before.
alter table transactions add column test_program_id bigint not null default 0;
update transactions t set test_program_id = s.program_id from sales s
where s.is_test and t.processor_event_id = s.processor_event_id and t.sale_id = s.id;
alter table transactions drop constraint transactions_pkey;
alter table transactions add primary key (processor_event_id, test_program_id);

-- Test sales never collide here: the table above keeps their ids unique.
drop index sales_by_transaction;
create unique index sales_by_transaction on sales (processor_event_id, (case when is_test then id else 0 end));

-- When the job creates an owed commission: as soon as possible, with backoff after each failure, and finally never.
alter table sales add column repair_attempts integer not null default 0;
alter table sales add column repair_after timestamptz not null default '-infinity';
create index sales_to_repair on sales (repair_after, id) where commission_state = 'owed';

-- Why a commission waits for a person, beyond the program's hold. On a sale, for the commission that it still owes.
alter table commissions add column hold_reason text check (hold_reason in ('self_referral', 'email_from_page'));
alter table sales add column hold_reason text check (hold_reason in ('self_referral', 'email_from_page'));
-- Another keyed hash, of the address without its variable parts: see customers/email.ts.
alter table customers add column email_identity_hash text collate "C";
