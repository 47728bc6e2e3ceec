-- Endpoints that events are sent to, and what became of each delivery.
lock table programs in share row exclusive mode;

create table webhook_endpoints (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs (id),
  url text not null,
  -- Whom connections are counted for: the host name or address in the URL.
  host text not null,
  types text[] not null,
  description text,
  format text not null check (format in ('json', 'slack', 'discord')),
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason text check (disabled_reason in ('person', 'gone', 'failing')),
  disabled_after bigint,
  failing_since timestamptz,
  warned_at timestamptz,
  secret_sealed text not null,
  old_secret_sealed text,
  old_secret_until timestamptz,
  created_at timestamptz not null,
  constraint disabled_for_a_reason check ((status = 'disabled') = (disabled_reason is not null)),
  constraint old_secrets_end check ((old_secret_sealed is null) = (old_secret_until is null))
);
create index webhook_endpoints_of_programs on webhook_endpoints (program_id);
create index webhook_endpoints_of_hosts on webhook_endpoints (host);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  endpoint_id bigint not null references webhook_endpoints (id) on delete cascade,
  event_id uuid not null,
  sequence bigint,
  type text not null,
  -- Of a test, which is not in the feed; and of what is tried again, so that every attempt has the same bytes.
  body json,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz,
  last_status integer,
  last_error text,
  response_headers jsonb,
  response_body text,
  created_at timestamptz not null,
  constraint pending_ones_are_due check ((status = 'pending') = (due_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where status = 'pending';
create index webhook_deliveries_of_endpoints on webhook_deliveries (endpoint_id, id);
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, id) where status = 'failed';
create index webhook_deliveries_of_events on webhook_deliveries (endpoint_id, sequence);

-- One node at a time sends to a host, so that all nodes together keep to its number of connections.
create table webhook_hosts (
  host text primary key,
  node uuid not null,
  leased_until timestamptz not null
);
