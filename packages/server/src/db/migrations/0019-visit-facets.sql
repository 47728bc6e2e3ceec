-- What reports are broken down by, besides partners and links: the landing page, referrer, device, country and campaign of a
-- visit. A click stores what its page reported; a job derives these facets later, so that the click itself stays cheap.

-- Every lock of the migration first, in the order of the writers. The partition is locked with its table.
lock table clicks in access exclusive mode;
lock table clicks_other_months in access exclusive mode;
lock table result_days in share row exclusive mode;

-- The country of the caller's address, looked up when the click arrives; the address itself is not stored. Null where no
-- database of countries is configured, and in clicks that nodes of an earlier release record.
alter table clicks add column country text;

-- Results name their customer, whose first click has the facets.
create or replace view results as
  select program_id, partner_id, link_id, lead_at as at, null::text as currency, 1 as leads, 0 as first_sales, 0 as sales,
    0::bigint as revenue_cents, 0::bigint as refunded_cents, 0::bigint as commission_cents, id as customer_id
  from customers where lead_at is not null and not is_test
  union all
  select program_id, partner_id, link_id, converted_at, null, 0, 1, 0, 0, 0, 0, id
  from customers where converted_at is not null and not is_test
  union all
  select program_id, partner_id, link_id, created_at, currency, 0, 0, 1, amount_cents, refunded_cents, 0, customer_id
  from sales where not is_test
  union all
  select s.program_id, s.partner_id, s.link_id, s.created_at, m.currency, 0, 0, 0, 0, 0, m.commission_cents - m.deducted_cents,
    s.customer_id
  from commissions m join sales s on s.id = m.sale_id where m.stage <> 'rejected' and not s.is_test;

-- The facets of a customer's first click, kept for customers with results: their clicks may be retired long before their last
-- payment.
create table customer_facets (
  customer_id bigint primary key,
  program_id bigint not null,
  landing_page text not null,
  referrer text not null,
  device text not null,
  country text not null,
  utm_source text not null,
  utm_medium text not null,
  utm_campaign text not null
);

-- Clicks by facet and day. A partner_id of 0 is the whole program. A column has the counts of all values of its facet, as
-- JSON: a report of a year adds up 365 rows instead of tens of thousands.
create table click_facet_days (
  program_id bigint not null,
  day date not null,
  partner_id bigint not null,
  landing_page text not null,
  referrer text not null,
  device text not null,
  country text not null,
  utm_source text not null,
  utm_medium text not null,
  utm_campaign text not null,
  primary key (program_id, day, partner_id)
);
create index click_facet_days_by_partner on click_facet_days (program_id, partner_id, day);

-- Leads, sales and commissions by facet of the customer's first click, in the same way.
create table result_facet_days (like click_facet_days including indexes);

-- Until when the clicks of a program are counted by facet, and the first day whose counts were not compared with the other
-- counts of clicks yet. No row means that nothing is counted.
create table facets_rolled_up (
  program_id bigint primary key,
  clicks_until timestamptz not null,
  compared_until date not null
);

-- Days whose results have changed since they were counted by facet. The database notes them, whichever release counted.
create table facet_days_due (
  program_id bigint not null,
  day date not null,
  primary key (program_id, day)
);
insert into facet_days_due (program_id, day) select distinct program_id, day from result_days;

create function note_changed_day() returns trigger language plpgsql as $$
begin
  insert into facet_days_due (program_id, day) select distinct program_id, day from changed order by 1, 2
  on conflict do nothing;
  return null;
end $$;
create trigger note_new after insert on result_days referencing new table as changed
  for each statement execute function note_changed_day();
create trigger note_now after update on result_days referencing new table as changed
  for each statement execute function note_changed_day();
create trigger note_gone after delete on result_days referencing old table as changed
  for each statement execute function note_changed_day();
