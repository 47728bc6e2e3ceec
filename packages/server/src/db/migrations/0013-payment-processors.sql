-- A program may be connected to several payment processors, each with several signing secrets.

lock table processor_connections, processor_events in access exclusive mode;

-- Processors choose the ids of their events on their own. A node of the previous release stores events of Stripe only.
alter table processor_events add column provider text not null default 'stripe';
alter table processor_events drop constraint one_event_per_id;
alter table processor_events add constraint one_event_per_id unique (program_id, provider, event_id);

alter table processor_connections drop constraint processor_connections_provider_check;
alter table processor_connections drop constraint processor_connections_pkey;
alter table processor_connections add primary key (program_id, provider);
-- How many requests had a signature that fits none of the secrets, since these were last changed.
alter table processor_connections add column signature_mismatches integer not null default 0;
alter table processor_connections add column last_mismatch_at timestamptz;

create table processor_secrets (
  id bigint generated always as identity primary key,
  program_id bigint not null,
  provider text not null,
  label text,
  secret_encrypted text not null,
  -- Whether everything signed with it is a test, for processors whose events do not say so themselves.
  is_test boolean not null default false,
  created_at timestamptz not null,
  last_used_at timestamptz,
  foreign key (program_id, provider) references processor_connections on delete cascade
);
create index processor_secrets_by_connection on processor_secrets (program_id, provider, id);
insert into processor_secrets (program_id, provider, secret_encrypted, created_at)
  select program_id, provider, secret_encrypted, connected_at from processor_connections
  where secret_encrypted is not null;
-- Nodes of the previous release still read processor_connections.secret_encrypted. Nothing writes it any more.
