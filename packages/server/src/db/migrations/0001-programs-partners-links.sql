-- Who takes part: advertisers run programs, partners join them and share links.

create table advertisers (
  id bigint generated always as identity primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table programs (
  id bigint generated always as identity primary key,
  advertiser_id bigint not null references advertisers,
  name text not null,
  domain text not null,
  commission_type text not null
    check (commission_type in ('percent', 'fixed', 'recurring_percent', 'recurring_fixed')),
  commission_rate numeric(16, 4) not null check (commission_rate > 0),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  recurring_months integer check (recurring_months > 0),
  cookie_window_days integer not null default 60 check (cookie_window_days > 0),
  attribution_window_days integer not null default 60 check (attribution_window_days > 0),
  hold_days integer not null default 30 check (hold_days >= 0),
  lead_auth text not null default 'browser_allowed' check (lead_auth in ('browser_allowed', 'server_required')),
  allowed_origins text[] not null default '{}',
  created_at timestamptz not null default now()
);
create index programs_by_advertiser on programs (advertiser_id);

-- A program has one key in force; the ones before it stay as a record of when they were replaced.
create table program_keys (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs,
  key_hash text collate "C" not null unique,
  key_masked text not null,
  created_at timestamptz not null default now(),
  marked_at timestamptz,
  rotate_by timestamptz,
  replaced_at timestamptz,
  check ((marked_at is null) = (rotate_by is null))
);
create unique index program_keys_in_force on program_keys (program_id) where replaced_at is null;

create table partners (
  id bigint generated always as identity primary key,
  advertiser_id bigint not null references advertisers,
  name text not null,
  email text not null,
  is_test boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index partners_by_email on partners (advertiser_id, lower(email));

create table memberships (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs,
  partner_id bigint not null references partners on delete cascade,
  status text not null default 'active' check (status in ('active', 'blocked', 'removed')),
  created_at timestamptz not null default now(),
  unique (program_id, partner_id)
);
create index memberships_by_partner on memberships (partner_id);

-- The click route knows nothing but the `aff` value, so a short link is unique over all programs.
create table links (
  id bigint generated always as identity primary key,
  short_link text collate "C" not null unique,
  program_id bigint references programs on delete set null,
  partner_id bigint references partners on delete set null,
  destination_url text,
  active boolean not null default true,
  is_test boolean not null default false,
  created_at timestamptz not null default now()
);
create index links_by_program on links (program_id, id);
create index links_by_partner on links (partner_id);

-- Nodes keep programs, keys and links in memory. Whoever changes a row, by whatever way, tells them which to drop.
create function announce_change() returns trigger language plpgsql as $$
declare
  row_before jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) end;
  row_after jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) end;
begin
  if row_before is not null then
    perform pg_notify('svc_changes', tg_argv[0] || ':' || coalesce(row_before ->> tg_argv[1], ''));
  end if;
  if row_after is not null and (row_after ->> tg_argv[1]) is distinct from (row_before ->> tg_argv[1]) then
    perform pg_notify('svc_changes', tg_argv[0] || ':' || coalesce(row_after ->> tg_argv[1], ''));
  end if;
  return null;
end $$;

create trigger announce after insert or update or delete on programs
  for each row execute function announce_change('program', 'id');
create trigger announce after insert or update or delete on memberships
  for each row execute function announce_change('program', 'program_id');
create trigger announce after insert or update or delete on links
  for each row execute function announce_change('link', 'short_link');
create trigger announce after insert or update or delete on program_keys
  for each row execute function announce_change('key', 'key_hash');
