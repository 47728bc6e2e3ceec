-- What partners brought in by day: an overview of a year must not read a year of leads and sales.

-- In the order in which sales are written, so that nobody who writes one meanwhile waits for this and this for them.
lock table sales, commissions, customers, click_days in share row exclusive mode;

-- Everything that counts, with its time: leads, first purchases, sales, and what commissions earn, at the time of their sale.
create view results as
  select program_id, partner_id, link_id, lead_at as at, null::text as currency, 1 as leads, 0 as first_sales, 0 as sales,
    0::bigint as revenue_cents, 0::bigint as refunded_cents, 0::bigint as commission_cents
  from customers where lead_at is not null and not is_test
  union all
  select program_id, partner_id, link_id, converted_at, null, 0, 1, 0, 0, 0, 0
  from customers where converted_at is not null and not is_test
  union all
  select program_id, partner_id, link_id, created_at, currency, 0, 0, 1, amount_cents, refunded_cents, 0
  from sales where not is_test
  union all
  select s.program_id, s.partner_id, s.link_id, s.created_at, m.currency, 0, 0, 0, 0, 0, m.commission_cents - m.deducted_cents
  from commissions m join sales s on s.id = m.sale_id where m.stage <> 'rejected' and not s.is_test;

-- As with clicks, writers append what they add and a job folds it in. At every moment both together are what the rows say.
-- Sums have no bound: one that does not fit must not stop the job for everybody.
create table result_deltas (
  program_id bigint not null,
  day date not null,
  partner_id bigint,
  link_id bigint,
  currency text,
  leads integer not null default 0,
  first_sales integer not null default 0,
  sales integer not null default 0,
  revenue_cents numeric not null default 0,
  refunded_cents numeric not null default 0,
  commission_cents numeric not null default 0
);
create table result_days (
  like result_deltas including defaults,
  unique nulls not distinct (program_id, day, partner_id, link_id, currency)
);

-- A failing count must not fail the statement that is counted. It is noted here, outside of the transaction, and a job
-- rebuilds the counts when this number has changed.
create sequence results_missed;
create table results_recounted (missed bigint not null);

-- The database itself keeps the count, so that no writer can forget it: each statement takes away what its rows said before
-- and adds what they say now. `changed` are those rows, the argument is the sign.
create function count_customers() returns trigger language plpgsql as $$
declare
  sign integer := tg_argv[0];
begin
  insert into result_deltas (program_id, day, partner_id, link_id, leads)
  select program_id, (lead_at at time zone 'UTC')::date, partner_id, link_id, sign * count(*)
  from changed where lead_at is not null and not is_test group by 1, 2, 3, 4;
  insert into result_deltas (program_id, day, partner_id, link_id, first_sales)
  select program_id, (converted_at at time zone 'UTC')::date, partner_id, link_id, sign * count(*)
  from changed where converted_at is not null and not is_test group by 1, 2, 3, 4;
  return null;
exception when others then
  perform nextval('results_missed');
  raise warning 'Leads were not counted: %', sqlerrm;
  return null;
end $$;

create function count_sales() returns trigger language plpgsql as $$
declare
  sign integer := tg_argv[0];
begin
  insert into result_deltas (program_id, day, partner_id, link_id, currency, sales, revenue_cents, refunded_cents)
  select program_id, (created_at at time zone 'UTC')::date, partner_id, link_id, currency, sign * count(*),
    sign * sum(amount_cents), sign * sum(refunded_cents)
  from changed where not is_test group by 1, 2, 3, 4, 5;
  return null;
exception when others then
  perform nextval('results_missed');
  raise warning 'Sales were not counted: %', sqlerrm;
  return null;
end $$;

create function count_commissions() returns trigger language plpgsql as $$
declare
  sign integer := tg_argv[0];
begin
  insert into result_deltas (program_id, day, partner_id, link_id, currency, commission_cents)
  select s.program_id, (s.created_at at time zone 'UTC')::date, s.partner_id, s.link_id, m.currency,
    sign * sum(m.commission_cents - m.deducted_cents)
  from changed m join sales s on s.id = m.sale_id
  where m.stage <> 'rejected' and not s.is_test group by 1, 2, 3, 4, 5;
  return null;
exception when others then
  perform nextval('results_missed');
  raise warning 'Commissions were not counted: %', sqlerrm;
  return null;
end $$;

create trigger count_new after insert on customers referencing new table as changed
  for each statement execute function count_customers('1');
create trigger count_before after update on customers referencing old table as changed
  for each statement execute function count_customers('-1');
create trigger count_now after update on customers referencing new table as changed
  for each statement execute function count_customers('1');
create trigger count_gone after delete on customers referencing old table as changed
  for each statement execute function count_customers('-1');

create trigger count_new after insert on sales referencing new table as changed
  for each statement execute function count_sales('1');
create trigger count_before after update on sales referencing old table as changed
  for each statement execute function count_sales('-1');
create trigger count_now after update on sales referencing new table as changed
  for each statement execute function count_sales('1');
create trigger count_gone after delete on sales referencing old table as changed
  for each statement execute function count_sales('-1');

create trigger count_new after insert on commissions referencing new table as changed
  for each statement execute function count_commissions('1');
create trigger count_before after update on commissions referencing old table as changed
  for each statement execute function count_commissions('-1');
create trigger count_now after update on commissions referencing new table as changed
  for each statement execute function count_commissions('1');
create trigger count_gone after delete on commissions referencing old table as changed
  for each statement execute function count_commissions('-1');

-- A commission is counted where its sale is, so a sale that has one stays there.
create function refuse_moved_sale() returns trigger language plpgsql as $$
begin
  raise exception 'sale % has a commission: its program, partner, link and time stay', old.id
    using errcode = 'check_violation', constraint = 'sales_with_a_commission_stay';
end $$;
create trigger sales_with_a_commission_stay before update on sales for each row
  when (old.commission_state = 'created'
    and (old.program_id, old.partner_id, old.link_id, old.created_at, old.is_test)
      is distinct from (new.program_id, new.partner_id, new.link_id, new.created_at, new.is_test))
  execute function refuse_moved_sale();

insert into result_days
select program_id, (at at time zone 'UTC')::date, partner_id, link_id, currency, sum(leads), sum(first_sales), sum(sales),
  sum(revenue_cents), sum(refunded_cents), sum(commission_cents)
from results group by 1, 2, 3, 4, 5;

-- The same once more for programs as a whole, clicks included: most overviews ask for no more.
create table program_days (
  program_id bigint not null,
  day date not null,
  currency text,
  clicks bigint not null default 0,
  leads integer not null default 0,
  first_sales integer not null default 0,
  sales integer not null default 0,
  revenue_cents numeric not null default 0,
  refunded_cents numeric not null default 0,
  commission_cents numeric not null default 0,
  unique nulls not distinct (program_id, day, currency)
);
insert into program_days (program_id, day, currency, leads, first_sales, sales, revenue_cents, refunded_cents, commission_cents)
select program_id, day, currency, sum(leads), sum(first_sales), sum(sales), sum(revenue_cents), sum(refunded_cents),
  sum(commission_cents)
from result_days group by 1, 2, 3;

-- Clicks of a day are also added to the totals of its program.
create function add_clicks_to_program() returns trigger language plpgsql as $$
declare
  sign integer := tg_argv[0];
begin
  insert into program_days as known (program_id, day, clicks)
  select program_id, day, sign * sum(clicks) from changed group by 1, 2 order by 1, 2
  on conflict (program_id, day, currency) do update set clicks = known.clicks + excluded.clicks;
  return null;
end $$;
create trigger add_new after insert on click_days referencing new table as changed
  for each statement execute function add_clicks_to_program('1');
create trigger take_before after update on click_days referencing old table as changed
  for each statement execute function add_clicks_to_program('-1');
create trigger add_now after update on click_days referencing new table as changed
  for each statement execute function add_clicks_to_program('1');
create trigger take_gone after delete on click_days referencing old table as changed
  for each statement execute function add_clicks_to_program('-1');
insert into program_days as known (program_id, day, clicks)
select program_id, day, sum(clicks) from click_days group by 1, 2
on conflict (program_id, day, currency) do update set clicks = excluded.clicks;
