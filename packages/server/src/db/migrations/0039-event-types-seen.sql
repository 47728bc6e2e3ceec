-- Which types of events each payment processor has sent, for longer than the events themselves are kept.

-- Every lock of the migration first, in the order of the writers.
lock table programs in share row exclusive mode;
lock table processor_events in share mode;

create table processor_event_types (
  program_id bigint not null references programs (id),
  provider text not null,
  type text collate "C" not null,
  is_live boolean not null,
  events bigint not null,
  last_at timestamptz not null,
  primary key (program_id, provider, type, is_live)
);
insert into processor_event_types (program_id, provider, type, is_live, events, last_at)
select program_id, provider, type, is_live, count(*), max(received_at) from processor_events group by 1, 2, 3, 4;

-- The payments of a customer, to be judged again when it becomes known that they were another partner's.
create index processor_events_by_customer on processor_events (customer_id)
  where customer_id is not null and payload_sealed is not null;
