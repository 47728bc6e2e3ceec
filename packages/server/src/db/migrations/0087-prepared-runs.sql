-- Runs are prepared in several transactions. Until all of a run is there, nobody sees it.
lock table payout_runs in access exclusive mode;

-- Null until then. Nodes of the release before prepare a run in the transaction that inserts it.
alter table payout_runs add column prepared_at timestamptz;
update payout_runs set prepared_at = created_at;
alter table payout_runs
  alter column prepared_at set default now(),
  -- Who makes it, the minimums that it began with, and which partners have had their turn. Null once it is prepared.
  add column preparation jsonb;
-- Nodes of the release before, which see such runs, can neither approve nor cancel them.
alter table payout_runs
  add constraint runs_are_prepared_first check (prepared_at is not null or (status = 'draft' and preparation is not null));

-- Prepares one run of a program at a time.
create unique index payout_runs_in_preparation on payout_runs (program_id) where prepared_at is null;
