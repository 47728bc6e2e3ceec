-- Sub-ids: what partners append to their links (`sub`) to tell their own pages, mails and posts apart.

-- Every lock of the migration first, in the order of the writers. The partition is locked with its table.
lock table customers, clicks in access exclusive mode;
lock table clicks_other_months in access exclusive mode;
lock table customer_facets, click_facet_days, result_facet_days in access exclusive mode;

-- The sub-id of a click, and that of the click that brought the customer. Null in what nodes of an earlier release record.
alter table clicks add column sub text;
alter table customers add column sub text;

-- Breakdowns by sub-id. So far no visit has one. What earlier nodes count meanwhile is counted again when its day is over.
alter table customer_facets add column sub text default '' not null;
alter table click_facet_days add column sub text default '[]' not null;
alter table result_facet_days add column sub text default '[]' not null;
update click_facet_days set sub = (
  select json_build_array(json_build_array('', sum((counted ->> 1)::bigint)))::text from json_array_elements(device::json) counted)
where device <> '[]';
update result_facet_days set sub = (
  select jsonb_agg(jsonb_set(counted, '{0}', '""'))::text from jsonb_array_elements(device::jsonb) counted)
where device <> '[]';

-- Months that were detached earlier have no column for it.
create or replace function erase_clicks(erased bigint[]) returns void language plpgsql as $$
declare
  month record;
begin
  for month in
    select c.relname::text as name, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'sub' and not a.attisdropped) as has_sub
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and (c.relname = 'clicks'
      or c.relkind = 'r' and not c.relispartition and c.relname ~ '^clicks_\d{4}_\d\d$')
  loop
    execute format(
      'update %I set affiliate_url = null, page_url = null, page_title = null, referrer_url = null, session_id = null,
         user_agent = null, screen_resolution = null, viewport_size = null, language = null, timezone = null %s
       where customer_id = any ($1)', month.name, case when month.has_sub then ', sub = null' end) using erased;
  end loop;
end $$;
