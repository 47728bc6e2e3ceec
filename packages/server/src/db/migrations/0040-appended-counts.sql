-- Counts have one mechanism: the statement that makes something true appends what it adds to the counts, and one job rolls that
-- up. This migration has everybody append; the next one computes the counts up to here. It is short, because clicks wait for it.

lock table click_deltas, click_days, result_deltas, result_days in access exclusive mode;

-- What was added to the counts and is not rolled up yet: what, when, for which partner and link, in which currency, how much.
-- Amounts have no bound: a sum that does not fit must not stop the job for everybody.
create table count_deltas (
  program_id bigint not null,
  hour timestamptz not null,
  partner_id bigint,
  link_id bigint,
  currency text,
  clicks integer not null default 0,
  leads integer not null default 0,
  first_sales integer not null default 0,
  sales integer not null default 0,
  revenue_cents numeric not null default 0,
  refunded_cents numeric not null default 0,
  commission_cents numeric not null default 0
);

-- The counts that are rolled up, three times: by link and UTC day, by program and UTC day, and by link since the beginning.
-- Clicks, leads and first sales have no currency, and neither have the rows that hold them.
create table counts (
  program_id bigint not null,
  span text not null check (span in ('link_day', 'program_day', 'link')),
  day date,
  partner_id bigint,
  link_id bigint,
  currency text,
  clicks bigint not null default 0,
  leads bigint not null default 0,
  first_sales bigint not null default 0,
  sales bigint not null default 0,
  revenue_cents numeric not null default 0,
  refunded_cents numeric not null default 0,
  commission_cents numeric not null default 0,
  unique nulls not distinct (program_id, span, day, partner_id, link_id, currency)
);

-- Days on which something could not be counted. The job counts them again, from their rows.
create table recounts_due (
  program_id bigint not null,
  day date not null
);

-- Appends what a statement adds to the counts. A failure to count never fails what is counted, so it only makes a recount due.
create function append_counts(deltas json) returns void strict language plpgsql as $$
begin
  insert into count_deltas (program_id, hour, partner_id, link_id, currency, leads, first_sales, sales, revenue_cents,
    refunded_cents, commission_cents)
  select program_id, hour, partner_id, link_id, currency, coalesce(leads, 0), coalesce(first_sales, 0), coalesce(sales, 0),
    coalesce(revenue_cents, 0), coalesce(refunded_cents, 0), coalesce(commission_cents, 0)
  from json_populate_recordset(null::count_deltas, deltas);
exception when others then
  raise warning 'Not counted, a recount is due: %', sqlerrm;
  insert into recounts_due (program_id, day)
  select distinct program_id, (hour at time zone 'UTC')::date
  from json_to_recordset(deltas) as delta(program_id bigint, hour timestamptz);
end $$;

insert into count_deltas (program_id, hour, partner_id, link_id, clicks)
select program_id, hour, partner_id, link_id, clicks from click_deltas;
delete from click_deltas;
insert into count_deltas (program_id, hour, partner_id, link_id, currency, leads, first_sales, sales, revenue_cents,
  refunded_cents, commission_cents)
select program_id, day::timestamp at time zone 'UTC', partner_id, link_id, currency, leads, first_sales, sales, revenue_cents,
  refunded_cents, commission_cents
from result_deltas;
delete from result_deltas;

-- The job writes the totals of programs and links, and the days that are due by facet, together with the days.
drop trigger add_new on click_days;
drop trigger take_before on click_days;
drop trigger add_now on click_days;
drop trigger take_gone on click_days;
drop trigger links_add_new on click_days;
drop trigger links_take_before on click_days;
drop trigger links_add_now on click_days;
drop trigger links_take_gone on click_days;
drop trigger links_add_new on result_days;
drop trigger links_take_before on result_days;
drop trigger links_add_now on result_days;
drop trigger links_take_gone on result_days;
drop trigger note_new on result_days;
drop trigger note_now on result_days;
drop trigger note_gone on result_days;
drop function add_clicks_to_program, add_clicks_to_links, add_results_to_links, note_changed_day;

-- Nodes of 0.2.0 read click_deltas, click_days, result_deltas, result_days, program_days, link_totals, results_recounted and the
-- sequence results_missed. They go together with the functions below. Reports of these nodes show the counts up to here.

create function append_clicks() returns trigger language plpgsql as $$
begin
  -- Nodes of 0.2.0 append clicks to click_deltas. It stays empty, so that their job has nothing to roll up.
  -- until: 0.4.0
  insert into count_deltas (program_id, hour, partner_id, link_id, clicks)
  values (new.program_id, new.hour, new.partner_id, new.link_id, new.clicks);
  return null;
end $$;
create trigger append_clicks before insert on click_deltas for each row execute function append_clicks();

create function append_results() returns trigger language plpgsql as $$
begin
  -- Transactions of nodes of 0.2.0 that are under way append to result_deltas.
  -- until: 0.4.0
  insert into count_deltas (program_id, hour, partner_id, link_id, currency, leads, first_sales, sales, revenue_cents,
    refunded_cents, commission_cents)
  values (new.program_id, new.day::timestamp at time zone 'UTC', new.partner_id, new.link_id, new.currency, new.leads,
    new.first_sales, new.sales, new.revenue_cents, new.refunded_cents, new.commission_cents);
  return null;
end $$;
create trigger append_results before insert on result_deltas for each row execute function append_results();

-- Triggers still count what nodes of 0.2.0 write to customers, sales and commissions. Nodes that append themselves say so:
-- set svc.counts = 'appended'.
create or replace function count_customers() returns trigger language plpgsql as $$
declare
  -- Nodes of 0.2.0 leave it to the database.
  -- until: 0.4.0
  sign integer := tg_argv[0];
begin
  if current_setting('svc.counts', true) = 'appended' then return null; end if;
  perform append_counts((select json_agg(delta) from (
    select program_id, date_trunc('hour', lead_at, 'UTC') as hour, partner_id, link_id, sign * count(*) as leads, 0 as first_sales
    from changed where lead_at is not null and not is_test group by 1, 2, 3, 4
    union all
    select program_id, date_trunc('hour', converted_at, 'UTC'), partner_id, link_id, 0, sign * count(*)
    from changed where converted_at is not null and not is_test group by 1, 2, 3, 4) delta));
  return null;
end $$;

create or replace function count_sales() returns trigger language plpgsql as $$
declare
  -- Nodes of 0.2.0 leave it to the database.
  -- until: 0.4.0
  sign integer := tg_argv[0];
begin
  if current_setting('svc.counts', true) = 'appended' then return null; end if;
  perform append_counts((select json_agg(delta) from (
    select program_id, date_trunc('hour', created_at, 'UTC') as hour, partner_id, link_id, currency, sign * count(*) as sales,
      sign * sum(amount_cents) as revenue_cents, sign * sum(refunded_cents) as refunded_cents
    from changed where not is_test group by 1, 2, 3, 4, 5) delta));
  return null;
end $$;

create or replace function count_commissions() returns trigger language plpgsql as $$
declare
  -- Nodes of 0.2.0 leave it to the database.
  -- until: 0.4.0
  sign integer := tg_argv[0];
begin
  if current_setting('svc.counts', true) = 'appended' then return null; end if;
  perform append_counts((select json_agg(delta) from (
    select m.program_id, date_trunc('hour', coalesce(s.created_at, m.created_at), 'UTC') as hour, m.partner_id,
      case when m.sale_id is null then m.link_id when m.partner_id = s.partner_id then s.link_id end as link_id, m.currency,
      sign * sum(m.commission_cents - m.deducted_cents) as commission_cents
    from changed m left join sales s on s.id = m.sale_id
    where m.stage <> 'rejected' and s.is_test is not true group by 1, 2, 3, 4, 5) delta));
  return null;
end $$;
