-- What has become true, for the outside: written by the verb that did it, numbered after the commit, then read as a feed.
lock table programs in share row exclusive mode;

-- Rows stay only until they are numbered.
create table outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null default gen_random_uuid(),
  program_id bigint not null,
  type text not null,
  subject text not null,
  facts json,
  gone json,
  more json,
  decision_id bigint,
  customer_id bigint,
  partner_id bigint,
  created_at timestamptz not null,
  constraint a_row_is_read_or_gone check ((facts is null) = (gone is not null))
);

create table feed_sequences (
  program_id bigint primary key references programs (id),
  last_sequence bigint not null check (last_sequence >= 0)
);

-- What the outside gets to see is made from these when it is read.
create table feed_events (
  program_id bigint not null,
  sequence bigint not null,
  event_id uuid not null,
  type text not null,
  subject text not null,
  facts json,
  gone json,
  more json,
  decision_id bigint,
  reason text,
  customer_id bigint,
  partner_id bigint,
  created_at timestamptz not null,
  primary key (program_id, sequence)
);

-- For erasures.
create index feed_events_of_customers on feed_events (customer_id) where customer_id is not null;
