-- Which click of a visitor is credited: the first one, or the last one before the first conversion. It is part of the terms.

-- Every lock of the migration first, in the order of the writers.
lock table customers, programs, terms_versions in access exclusive mode;

alter table programs add column attribution text default 'first' not null;
alter table programs add constraint programs_attribution_check check (attribution in ('first', 'last')) not valid;
alter table terms_versions add column attribution text default 'first' not null;

-- When the click was made that is credited, if it is not the one that the customer is known by. Fixed at the first conversion.
alter table customers add column credited_click_at timestamptz;

create or replace function keep_terms() returns trigger language plpgsql as $$
begin
  insert into terms_versions (program_id, version, effective_from, commission_type, commission_rate, currency,
    recurring_months, hold_days, commission_base, made_by, rules, note, attribution)
  values (new.id, new.terms_version, new.terms_since, new.commission_type, new.commission_rate, new.currency,
    new.recurring_months, new.hold_days, new.commission_base, new.terms_made_by, new.rules, new.terms_note, new.attribution)
  -- A scheduled version that comes into force is there already.
  on conflict do nothing;
  return null;
end $$;

create or replace function number_terms() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.terms_since := new.created_at;
  elsif new.terms_version = old.terms_version
    and (new.commission_type, new.commission_rate, new.currency, new.recurring_months, new.hold_days, new.commission_base,
      new.rules, new.attribution)
      is distinct from
      (old.commission_type, old.commission_rate, old.currency, old.recurring_months, old.hold_days, old.commission_base,
      old.rules, old.attribution)
  then
    new.terms_version := old.terms_version + 1;
    new.terms_since := now();
    new.terms_made_by := null;
    new.terms_note := null;
  end if;
  if tg_op = 'UPDATE' and new.terms_version <> old.terms_version and exists (
    select from terms_versions v
    where v.program_id = new.id and v.version = new.terms_version and v.effective_from <> new.terms_since)
  then
    new.terms_version := (select max(version) + 1 from terms_versions where program_id = new.id);
  end if;
  return new;
end $$;
