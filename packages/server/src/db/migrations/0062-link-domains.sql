-- Hosts of brands' own that their short links work on.
lock table programs in access exclusive mode;

create table link_domains (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs (id),
  host text collate "C" not null,
  status text not null default 'pending' check (status in ('pending', 'active')),
  created_at timestamptz not null,
  constraint one_row_per_program_and_host unique (program_id, host)
);
-- Anybody may try; the one who has set the record gets it.
create unique index link_domains_active on link_domains (host) where status = 'active';

create trigger announce after insert or update or delete on link_domains
  for each row execute function announce_change('host', 'host');
-- A host leads to the site of its program, as long as there is one.
create trigger announce_hosts after update of domain, deleted_at on programs
  for each row when (old.domain is distinct from new.domain or old.deleted_at is distinct from new.deleted_at)
  execute function announce_change('host', 'id');
