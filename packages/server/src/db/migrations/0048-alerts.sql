-- What is wrong with a program, so that somebody is told: endpoints at which nothing arrives.
lock table webhook_endpoints, webhook_deliveries in access exclusive mode;

-- For how long attempts have failed. A silence between two of them counts as a day at most: see webhooks/failing.ts.
alter table webhook_endpoints
  add column last_failed_at timestamptz,
  add column failing_ms bigint not null default 0 check (failing_ms >= 0);

-- When an event was deleted before it could be sent. The delivery is kept from then on.
alter table webhook_deliveries add column expired_at timestamptz;
