-- Where accounts want to be paid. A change adds a row, so that a payout keeps the method that it was made with.

lock table programs, partners, users in share row exclusive mode;

create table payout_methods (
  id bigint generated always as identity primary key,
  user_id text not null references users (id) on delete cascade,
  kind text not null check (kind in ('paypal', 'wise', 'iban', 'us_bank', 'other')),
  -- Null once the method is replaced: files are made from the method in use.
  details_sealed text,
  masked text not null,
  holder_name text not null,
  holder_kind text not null check (holder_kind in ('person', 'company')),
  -- Null for text from before methods had a country.
  country text check (country ~ '^[A-Z]{2}$'),
  usable_from timestamptz not null,
  created_at timestamptz not null,
  replaced_at timestamptz,
  constraint methods_in_use_have_details check (details_sealed is not null or replaced_at is not null),
  constraint methods_have_a_country check (country is not null or kind = 'other')
);
create unique index one_payout_method_per_account on payout_methods (user_id) where replaced_at is null;
create index payout_methods_of_users on payout_methods (user_id, id);

-- Programs whose owner pays to a changed method before its wait is over.
create table payout_method_lifts (
  program_id bigint not null references programs (id),
  method_id bigint not null references payout_methods (id) on delete cascade,
  reason text not null,
  lifted_by text references users (id) on delete set null,
  created_at timestamptz not null,
  primary key (program_id, method_id)
);
create index payout_method_lifts_of_methods on payout_method_lifts (method_id);
create index payout_method_lifts_of_users on payout_method_lifts (lifted_by) where lifted_by is not null;
