-- Test sales keep their ids to themselves, owed commissions are retried less and less often, and commissions that a partner
-- seems to earn on a purchase of their own wait for the brand.

-- In the order in which sales are written, so that nobody who writes one meanwhile waits for this and this for them.
lock table transactions, sales, commissions, customers in access exclusive mode;

-- A real id is unique across all programs, a test id within its program. A node of the previous release fills in the default:
-- the test ids that it takes count as real ones, as they did before.
alter table transactions add column test_program_id bigint not null default 0;
update transactions t set test_program_id = s.program_id from sales s
where s.is_test and t.processor_event_id = s.processor_event_id and t.sale_id = s.id;
alter table transactions drop constraint transactions_pkey;
alter table transactions add primary key (processor_event_id, test_program_id);

-- Test sales never collide here: the table above is what keeps their ids apart.
drop index sales_by_transaction;
create unique index sales_by_transaction on sales (processor_event_id, (case when is_test then id else 0 end));

-- When the job creates an owed commission: as soon as possible, later after each failure, and in the end never.
alter table sales add column repair_attempts integer not null default 0;
alter table sales add column repair_after timestamptz not null default '-infinity';
create index sales_to_repair on sales (repair_after, id) where commission_state = 'owed';

-- Why a commission waits for a person, beyond the program's hold. A sale that still owes its commission keeps it for it.
alter table commissions add column hold_reason text check (hold_reason in ('self_referral', 'email_from_page'));
alter table sales add column hold_reason text check (hold_reason in ('self_referral', 'email_from_page'));
-- A keyed hash too, of the address without what people vary in it: see customers/email.ts.
alter table customers add column email_identity_hash text collate "C";
