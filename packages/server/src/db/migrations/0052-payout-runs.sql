-- Payouts that are made, approved, sent and settled together.

lock table programs, partners, users, payout_methods in share row exclusive mode;
lock table payouts in access exclusive mode;

create table payout_settings (
  program_id bigint primary key references programs (id),
  -- The smallest payout by currency, such as {"USD": 5000}.
  minimum_cents jsonb not null default '{}',
  -- The day of the month on which a run is prepared; null for never.
  schedule_day integer check (schedule_day between 1 and 28),
  net_days integer not null default 0 check (net_days between 0 and 90),
  two_persons boolean not null default false,
  -- Who pays: name, and sealed account numbers.
  payer_sealed text,
  -- When the next run is due; null without a schedule.
  next_run_at timestamptz,
  -- Null until somebody has saved them.
  updated_at timestamptz,
  constraint scheduled_runs_are_due check ((schedule_day is null) = (next_run_at is null))
);
create index payout_settings_due on payout_settings (next_run_at) where next_run_at is not null;

create table payout_runs (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs (id),
  -- Counts the runs of the program.
  number integer not null check (number > 0),
  status text not null default 'draft' check (status in ('draft', 'approved', 'sent', 'settled', 'cancelled')),
  cutoff_at timestamptz not null,
  -- Whether it needs a second person, even if the settings change afterwards.
  two_persons boolean not null,
  -- What it was asked for: currency, partners, exclusions with their notes.
  request jsonb not null,
  -- Null where the schedule made it, or once the account is deleted.
  made_by text references users (id) on delete set null,
  approved_by text references users (id) on delete set null,
  created_at timestamptz not null,
  approved_at timestamptz,
  sent_at timestamptz,
  settled_at timestamptz,
  cancelled_at timestamptz,
  constraint payout_runs_are_numbered unique (program_id, number)
);
create index payout_runs_of_users on payout_runs (made_by) where made_by is not null;
create index payout_runs_of_approvers on payout_runs (approved_by) where approved_by is not null;

-- Who was left out of a run, with what they keep and why.
create table payout_run_omissions (
  run_id bigint not null references payout_runs (id) on delete cascade,
  partner_id bigint not null references partners (id),
  currency text not null,
  amount_cents numeric not null,
  reason text not null check (reason in ('below_minimum', 'no_method', 'method_held', 'currency_not_payable',
    'country_not_payable', 'tax_form_missing', 'negative_balance', 'excluded')),
  note text,
  primary key (run_id, partner_id, currency)
);
create index payout_run_omissions_of_partners on payout_run_omissions (partner_id);

-- Files for banks and payment services. Made once when the run is approved, and never changed.
create table payout_files (
  id bigint generated always as identity primary key,
  run_id bigint not null references payout_runs (id) on delete cascade,
  name text not null check (name in ('paypal.csv', 'wise.csv', 'sepa.xml', 'nacha.txt', 'payouts.csv')),
  currency text,
  part integer not null check (part > 0),
  bytes_sealed text not null,
  sha256 text not null,
  row_count integer not null,
  amount_cents numeric,
  created_at timestamptz not null,
  constraint payout_files_are_made_once unique nulls not distinct (run_id, name, currency, part)
);

alter table payouts
  add column run_id bigint references payout_runs (id),
  -- What it is paid to.
  add column method_id bigint references payout_methods (id) on delete set null,
  add column method_kind text,
  add column method_masked text,
  -- How a bank names it in its reports.
  add column end_to_end_id text,
  -- Why no file of the run holds it.
  add column not_in_file text,
  add column sent_at timestamptz,
  add column returned_at timestamptz,
  add column failure_code text;
create unique index payouts_have_one_end_to_end_id on payouts (end_to_end_id) where end_to_end_id is not null;
create index payouts_of_runs on payouts (run_id, id) where run_id is not null;
create index payouts_of_methods on payouts (method_id) where method_id is not null;

alter table payouts drop constraint payouts_status_check;
alter table payouts add constraint payouts_status_check
  check (status in ('open', 'sent', 'paid', 'failed', 'returned', 'cancelled')) not valid;
alter table payouts drop constraint payouts_paid_at_check;
alter table payouts add constraint payouts_paid_at_check
  check (case status when 'paid' then paid_at is not null when 'failed' then true when 'returned' then true else paid_at is null end)
  not valid;
alter table payouts drop constraint payouts_failed_at_check;
alter table payouts add constraint payouts_failed_at_check
  check ((status = 'failed') = (failed_at is not null) and (status = 'returned') = (returned_at is not null)
    and (status in ('failed', 'returned')) = (failure_reason is not null)) not valid;
