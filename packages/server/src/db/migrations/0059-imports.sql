-- Imports: partners, links, coupons, customers and balances of another tool, and what is needed to take them back.

-- Every lock of the migration first, in the order of the writers.
lock table commissions in share row exclusive mode;
lock table customers in access exclusive mode;
lock table programs, partners, memberships, links, users, book_entries, processor_identities in share row exclusive mode;

-- What is taken back is looked for in everything that may refer to it.
create index book_entries_of_partners on book_entries (program_id, partner_id);
create index memberships_by_recruiter on memberships (recruiter_id) where recruiter_id is not null;
create index processor_identities_by_customer on processor_identities (customer_id);

-- Codes that another program has too. They lead to a link of this program where the visitor is on one of its sites.
create table link_aliases (
  program_id bigint not null references programs (id),
  code text collate "C" not null,
  link_id bigint not null references links (id) on delete cascade,
  created_at timestamptz not null,
  constraint one_link_per_alias primary key (program_id, code)
);
create index link_aliases_by_code on link_aliases (code, program_id);
create index link_aliases_of_links on link_aliases (link_id);
create trigger announce after insert or delete or update on link_aliases
  for each row execute function announce_change('link', 'code');

-- What is cached for an alias is the link that it leads to.
create function announce_aliases() returns trigger language plpgsql as $$
begin
  perform pg_notify('svc_changes', 'link:' || code) from link_aliases where link_id = new.id;
  return null;
end $$;
create trigger announce_aliases after update on links for each row execute function announce_aliases();

-- When another tool says that it first saw the customer, and since when the customer is known here through an import.
alter table customers add column first_seen_at timestamptz;
alter table customers add column imported_at timestamptz;

create table imports (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs (id),
  source text not null,
  status text not null default 'open' check (status in ('open', 'undoing', 'undone')),
  created_by text references users (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  undone_at timestamptz,
  constraint undone_at_a_time check ((status = 'undone') = (undone_at is not null))
);
create unique index one_import_per_source on imports (program_id, source) where status <> 'undone';
create index imports_by_program on imports (program_id, id);
create index imports_of_users on imports (created_by) where created_by is not null;

-- What an import has created, and what was there before and is part of it.
create table import_items (
  import_id bigint not null references imports (id),
  kind text not null check (kind in ('partner', 'link', 'coupon', 'customer', 'balance')),
  -- The id of the partner, link, coupon, customer or opening balance.
  item_id bigint not null,
  is_new boolean not null,
  -- The partner in the other tool, and whether they had an account when they were imported.
  external_id text,
  had_account boolean not null default false,
  -- The parameter that a link was used with.
  parameter text,
  -- From when on the import gave the customer to the partner; null if they were the partner's already.
  assigned_at timestamptz,
  -- Why undoing the import kept it; null until then.
  kept text,
  constraint import_items_pkey primary key (import_id, kind, item_id)
);
create index import_items_by_item on import_items (kind, item_id);
create index import_items_by_external_id on import_items (import_id, external_id) where external_id is not null;
create index import_items_to_undo on import_items (import_id, kind, item_id) where kept is null;

-- How many of each kind an import has created, merged, removed and kept, so that nobody counts them.
create table import_counts (
  import_id bigint not null references imports (id),
  kind text not null check (kind in ('partner', 'link', 'coupon', 'customer', 'balance')),
  created integer not null default 0,
  merged integer not null default 0,
  removed integer not null default 0,
  constraint import_counts_pkey primary key (import_id, kind)
);

-- What another tool owed and had paid. Shown, and not payable unless there is a commission.
create table opening_balances (
  id bigint generated always as identity primary key,
  import_id bigint not null references imports (id),
  program_id bigint not null references programs (id),
  partner_id bigint not null references partners (id),
  currency text not null,
  pending_cents bigint not null check (pending_cents >= 0),
  approved_cents bigint not null check (approved_cents >= 0),
  paid_cents bigint not null check (paid_cents >= 0),
  -- The adjustment that makes the approved part payable.
  commission_id bigint references commissions (id) on delete set null,
  created_at timestamptz not null,
  constraint one_opening_balance unique (import_id, partner_id, currency)
);
create index opening_balances_of_partners on opening_balances (partner_id, program_id, id);
-- Whatever imports say, a partner is paid one opening balance of a currency.
create unique index one_payable_opening_balance on opening_balances (program_id, partner_id, currency)
  where commission_id is not null;
create index opening_balances_by_commission on opening_balances (commission_id) where commission_id is not null;
