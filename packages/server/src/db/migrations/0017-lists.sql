-- What people need to work through lists: why a commission was rejected, payouts by time, and views that they saved.

-- In the order of the writers.
lock table commissions in access exclusive mode;
lock table decisions in share mode;
lock table programs, payouts in share row exclusive mode;
lock table users in share row exclusive mode;

-- Null where nobody said why, as for rejections by nodes of an earlier release.
alter table commissions add column rejection_reason text;

-- The event log shows what was refused. Recorded attempts, the bulk of the table, do not pay for this index.
create index decisions_not_recorded on decisions (program_id, created_at, kind, id) where outcome <> 'recorded';

create index payouts_by_time on payouts (program_id, created_at, id);

-- A view is the filters and the order of a list, under a name. Each person has their own.
create table saved_views (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs on delete cascade,
  user_id text not null references users on delete cascade,
  list text not null,
  name text not null check (char_length(name) between 1 and 60),
  query text not null check (char_length(query) <= 1000),
  created_at timestamptz not null,
  constraint one_view_per_name unique (program_id, user_id, list, name)
);
create index saved_views_by_user on saved_views (user_id);
