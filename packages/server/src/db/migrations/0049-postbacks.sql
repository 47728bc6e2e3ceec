-- URLs of partners that are called about their own commissions, and what became of each call.

lock table programs, partners, users in share row exclusive mode;

create table postbacks (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs (id),
  partner_id bigint not null references partners (id) on delete cascade,
  -- Who set it up. Once the partner is handed over to another account, it is dead.
  user_id text not null references users (id) on delete cascade,
  method text not null check (method in ('GET', 'POST')),
  url text not null,
  -- Whom connections are counted for: the host name or address in the URL.
  host text not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason text check (disabled_reason in ('person', 'gone', 'failing')),
  failing_since timestamptz,
  last_failed_at timestamptz,
  -- For how long attempts have failed, without the silences.
  failing_ms bigint not null default 0,
  created_at timestamptz not null,
  constraint one_postback_per_partner unique (program_id, partner_id),
  constraint disabled_for_a_reason check ((status = 'disabled') = (disabled_reason is not null))
);
create index postbacks_of_partners on postbacks (partner_id);
create index postbacks_of_users on postbacks (user_id);
create index postbacks_of_hosts on postbacks (host);

create table postback_calls (
  id bigint generated always as identity primary key,
  postback_id bigint not null references postbacks (id) on delete cascade,
  event text not null,
  -- The values of the macros, as they were when it happened.
  facts jsonb not null,
  -- Whom it is about, for erasures.
  customer_id bigint,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz,
  -- What was called last, without the values.
  called_method text,
  called_url text,
  last_attempt_at timestamptz,
  last_status integer,
  last_error text,
  created_at timestamptz not null,
  constraint pending_ones_are_due check ((status = 'pending') = (due_at is not null))
);
create index postback_calls_due on postback_calls (postback_id, due_at) where status = 'pending';
create index postback_calls_of_postbacks on postback_calls (postback_id, id);
create index postback_calls_of_customers on postback_calls (customer_id) where customer_id is not null;
