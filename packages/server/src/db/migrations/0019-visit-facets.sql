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

-- The host of a URL, without what only says how it was reached. Empty text means that there is none.
create function visit_host(url text) returns text language sql immutable as $$
  select coalesce(left(regexp_replace(lower(
    (regexp_match(url, '^[a-z][a-z0-9+.-]*://(?:[^/?#]*@)?([^/?#]+)', 'i'))[1]), '^(www|m|l|lm|amp)\.(?=.+\.)', ''), 200), '')
$$;

-- The host and path of a URL; its query and fragment would make every visit a page of its own.
create function visit_page(url text) returns text language sql immutable as $$
  select case when visit_host(url) = '' then ''
    else left(visit_host(url) || rtrim((regexp_match(url, '^[^/]*//[^/?#]*([^?#]*)'))[1], '/'), 200) end
$$;

-- Where the visitor came from; empty for direct visits and for pages of the site itself.
create function visit_referrer(referrer_url text, url text) returns text language sql immutable as $$
  select case when visit_host(referrer_url) = visit_host(url) then '' else visit_host(referrer_url) end
$$;

create function visit_device(user_agent text) returns text language sql immutable as $$
  select case
    when coalesce(user_agent, '') = '' then ''
    when user_agent ~* 'bot\M|bot/|crawl|spider|slurp|headless|preview' then 'bot'
    when user_agent ~* 'ipad|tablet|kindle|silk/|playbook' or (user_agent ~* 'android' and user_agent !~* 'mobile') then 'tablet'
    when user_agent ~* 'mobi|iphone|ipod|android|phone' then 'mobile'
    else 'desktop' end
$$;

-- Percent-encoded text, decoded where it is valid UTF-8.
create function decode_url_text(encoded text) returns text language plpgsql immutable as $$
begin
  return convert_from(decode((
    select string_agg(case when part ~ '^%[0-9a-fA-F]{2}$' then substr(part, 2) else encode(convert_to(part, 'UTF8'), 'hex') end,
      '' order by place)
    from regexp_matches(encoded, '%[0-9a-fA-F]{2}|.', 'g') with ordinality as parts(parts, place), unnest(parts) part), 'hex'), 'UTF8');
exception when others then
  return encoded;
end $$;

-- A parameter of a URL's query, such as utm_source.
create function visit_parameter(url text, name text) returns text language sql immutable as $$
  select case when strpos(found, '%') > 0 then left(btrim(decode_url_text(found)), 100) else left(btrim(found), 100) end
  from (select coalesce(replace((regexp_match(url, '[?&]' || name || '=([^&#]*)', 'i'))[1], '+', ' '), '') as found) parameter
$$;

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

-- Clicks by facet and day. A partner_id of 0 is the whole program. An empty value means that a visit has none; the value is
-- null for the rest, because a day has a limited number of values.
create table click_facet_days (
  program_id bigint not null,
  partner_id bigint not null,
  facet text not null,
  day date not null,
  value text,
  clicks bigint not null,
  unique nulls not distinct (program_id, partner_id, facet, day, value)
);

-- Leads, sales and commissions by facet of the customer's first click, in the same way.
create table result_facet_days (
  program_id bigint not null,
  partner_id bigint not null,
  facet text not null,
  day date not null,
  value text,
  currency text,
  leads integer not null,
  first_sales integer not null,
  sales integer not null,
  revenue_cents numeric not null,
  refunded_cents numeric not null,
  commission_cents numeric not null,
  unique nulls not distinct (program_id, partner_id, facet, day, value, currency)
);
create index result_facet_days_by_day on result_facet_days (program_id, day);
create index click_facet_days_by_day on click_facet_days (program_id, day);

-- Until when clicks are counted by facet, and the day until which these counts were compared with the others. No row means
-- that nothing is counted yet.
create table facets_rolled_up (
  only_row boolean primary key default true check (only_row),
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
