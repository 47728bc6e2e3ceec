-- The terms of a program have a history: a payment is judged by the version in force when it was made. And a commission can
-- be a percentage of what was paid, or of that without tax and shipping.

-- In the order in which a sale locks them, so that a concurrent sale cannot deadlock with this migration.
lock table sales, programs in access exclusive mode;

-- Programs that exist keep paying on the amount that was paid. New ones leave out tax and shipping.
alter table programs add column commission_base text not null default 'gross' check (commission_base in ('net', 'gross'));
alter table programs alter column commission_base set default 'net';
-- The version that the row holds, since when, and who made it. Null: it came with the program, or from outside the service.
alter table programs add column terms_version integer not null default 1;
alter table programs add column terms_since timestamptz not null default now();
update programs set terms_since = created_at;
alter table programs add column terms_made_by text;

create table terms_versions (
  program_id bigint not null references programs,
  version integer not null check (version > 0),
  effective_from timestamptz not null,
  commission_type text not null,
  commission_rate numeric(16, 4) not null,
  currency text not null,
  recurring_months integer,
  hold_days integer not null,
  commission_base text not null,
  made_by text,
  primary key (program_id, version)
);

-- A node of the previous release changes the settings without counting versions, and so does SQL by hand. Both make a
-- version from now on.
create function number_terms() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.terms_since := new.created_at;
  elsif new.terms_version = old.terms_version
    and (new.commission_type, new.commission_rate, new.currency, new.recurring_months, new.hold_days, new.commission_base)
      is distinct from
      (old.commission_type, old.commission_rate, old.currency, old.recurring_months, old.hold_days, old.commission_base)
  then
    new.terms_version := old.terms_version + 1;
    new.terms_since := now();
    new.terms_made_by := null;
  end if;
  return new;
end $$;

create function keep_terms() returns trigger language plpgsql as $$
begin
  insert into terms_versions (program_id, version, effective_from, commission_type, commission_rate, currency,
    recurring_months, hold_days, commission_base, made_by)
  values (new.id, new.terms_version, new.terms_since, new.commission_type, new.commission_rate, new.currency,
    new.recurring_months, new.hold_days, new.commission_base, new.terms_made_by);
  return null;
end $$;

create trigger number_terms before insert or update on programs for each row execute function number_terms();
create trigger keep_first_terms after insert on programs for each row execute function keep_terms();
create trigger keep_changed_terms after update on programs for each row
  when (new.terms_version is distinct from old.terms_version) execute function keep_terms();

-- The history begins with what each program pays today.
insert into terms_versions (program_id, version, effective_from, commission_type, commission_rate, currency,
  recurring_months, hold_days, commission_base)
select id, terms_version, terms_since, commission_type, commission_rate, currency, recurring_months, hold_days, commission_base
from programs;

create function refuse_changed_terms() returns trigger language plpgsql as $$
begin
  raise exception 'A version of the terms never changes';
end $$;
create trigger terms_versions_stay before update on terms_versions for each row execute function refuse_changed_terms();

-- Null: not reported. Sales of nodes of the previous release have no version; the one in force at their time is meant. In one
-- statement, so that the sales are read once.
alter table sales
  add column tax_cents bigint check (tax_cents >= 0),
  add column shipping_cents bigint check (shipping_cents >= 0),
  add column terms_version integer,
  add column commission_base text check (commission_base in ('net', 'gross')),
  add constraint tax_and_shipping_within_the_sale
    check (coalesce(tax_cents, 0) + coalesce(shipping_cents, 0) <= amount_cents);
