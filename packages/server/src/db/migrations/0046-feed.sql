-- What has become true, for the outside: written by the verb that did it, numbered after the commit, then read as a feed.
lock table programs in share row exclusive mode;

-- Rows stay only until they are numbered.
create table outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null default gen_random_uuid(),
  program_id bigint not null,
  type text not null,
  subject text not null,
  facts jsonb,
  gone jsonb,
  more jsonb,
  decision_id bigint,
  created_at timestamptz not null,
  constraint a_row_is_read_or_gone check ((facts is null) = (gone is not null))
);

create table feed_sequences (
  program_id bigint primary key references programs (id),
  last_sequence bigint not null check (last_sequence >= 0)
);

create table feed_events (
  program_id bigint not null references programs (id),
  sequence bigint not null check (sequence > 0),
  event_id uuid not null unique,
  type text not null,
  customer_id bigint,
  partner_id bigint,
  body json not null,
  created_at timestamptz not null,
  primary key (program_id, sequence)
);

-- For erasures.
create index feed_events_of_customers on feed_events (customer_id) where customer_id is not null;
