-- Bulk actions: one change to many rows, which the service works through without the browser of the person who started it.

lock table programs, users in share row exclusive mode;

create table bulk_actions (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs (id),
  kind text not null check (kind in ('review_commissions', 'mark_payouts_paid', 'create_payouts', 'change_partners')),
  -- What is done to every row.
  change jsonb not null,
  status text not null default 'running' check (status in ('running', 'done', 'stopped', 'failed')),
  total integer not null check (total >= 0),
  changed integer not null default 0,
  -- How many rows were left as they are, by reason.
  skipped jsonb not null default '{}',
  -- How often in a row its next slice has failed, and when it is due.
  failures integer not null default 0,
  due_at timestamptz not null,
  created_by text references users (id) on delete set null,
  -- Who started it, as the audit log names them.
  actor jsonb not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint finished_at_a_time check ((status = 'running') = (finished_at is null))
);
create unique index one_running_bulk_action on bulk_actions (program_id, kind) where status = 'running';
create index bulk_actions_due on bulk_actions (due_at, id) where status = 'running';
create index bulk_actions_by_program on bulk_actions (program_id, id);
create index bulk_actions_of_users on bulk_actions (created_by) where created_by is not null;

-- What is left to do. A slice is deleted by the transaction that changes its rows.
create table bulk_action_slices (
  bulk_action_id bigint not null references bulk_actions (id) on delete cascade,
  number integer not null,
  items jsonb not null,
  constraint bulk_action_slices_pkey primary key (bulk_action_id, number)
);
