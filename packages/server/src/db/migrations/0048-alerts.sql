-- What is wrong with a program, so that somebody is told, and how long an endpoint has been failing.
lock table programs in share row exclusive mode;
lock table webhook_endpoints, webhook_deliveries in access exclusive mode;

-- For how long attempts have failed. A silence between two of them counts as a day at most: see webhooks/failing.ts.
alter table webhook_endpoints
  add column last_failed_at timestamptz,
  add column failing_ms bigint not null default 0 check (failing_ms >= 0);

-- When an event was deleted before it could be sent. The delivery is kept from then on.
alter table webhook_deliveries add column expired_at timestamptz;

create table alerts (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs (id),
  kind text not null check (kind in ('webhook_failing', 'payment_events_failing')),
  subject_id text not null,
  subject_name text not null,
  opened_at timestamptz not null,
  closed_at timestamptz
);
-- One open alert about each subject.
create unique index alerts_open on alerts (program_id, kind, subject_id) where closed_at is null;
create index alerts_closed on alerts (program_id, closed_at) where closed_at is not null;
