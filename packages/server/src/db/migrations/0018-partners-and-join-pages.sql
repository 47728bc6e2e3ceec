-- What a brand sets up for its partners (the look of its pages, questions, an agreement), what it notes about them, what they
-- have brought in altogether, and programs that are paused, archived or deleted.

lock table programs, partners, memberships, links in access exclusive mode;
lock table click_days, result_days in share row exclusive mode;
lock table audit_events in share mode;

-- A paused or archived program counts no new clicks. What customers from before buy still earns commissions.
alter table programs add column status text not null default 'active' check (status in ('active', 'paused', 'archived'));
-- Only programs without partners, customers and sales are deleted. The row stays, because others refer to it.
alter table programs add column deleted_at timestamptz;

-- How the join page and the portal look, and what applicants are asked: [{label, kind, required, options}].
alter table programs add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$');
alter table programs add column logo_name text;
alter table programs add column questions jsonb not null default '[]';
-- The version that new partners accept; null when there is nothing to accept.
alter table programs add column agreement_version integer;

-- Apart from the programs, which every node keeps in memory. The name contains a hash of the image.
create table program_logos (
  program_id bigint primary key references programs,
  name text collate "C" not null,
  media_type text not null,
  content_base64 text not null,
  created_at timestamptz not null
);
-- Two programs may have the same image.
create index program_logos_by_name on program_logos (name);

-- Versions never change, so that it can be read later what a partner has accepted.
create table agreements (
  program_id bigint not null references programs,
  version integer not null check (version > 0),
  text text not null,
  made_by text,
  created_at timestamptz not null,
  primary key (program_id, version)
);
create table agreement_acceptances (
  program_id bigint not null,
  partner_id bigint not null references partners on delete cascade,
  version integer not null,
  -- The account that accepted it: a partner may have been handed over since.
  user_id text not null,
  accepted_at timestamptz not null,
  primary key (program_id, partner_id, version, user_id),
  foreign key (program_id, version) references agreements
);
create index agreement_acceptances_by_partner on agreement_acceptances (partner_id);

-- The applicant's answers with the questions as they were: [{question, answer}].
alter table memberships add column answers jsonb not null default '[]';

create table partner_notes (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs,
  partner_id bigint not null references partners on delete cascade,
  text text not null,
  user_id text,
  created_at timestamptz not null
);
create index partner_notes_by_partner on partner_notes (program_id, partner_id, id);

alter table links add column label text;
-- A deleted link stays as a row: its clicks and sales are still explained, and its short link is never given out again.
alter table links add column deleted_at timestamptz;
-- The link that is created for every new partner, once.
alter table links add column is_first boolean not null default false;
create unique index links_first on links (program_id, partner_id) where is_first;

-- What happened to one partner or program.
create index audit_events_by_subject on audit_events (subject, subject_id, id);

-- What every link has brought in so far, as far as it is rolled up: lists of partners and links show it, and are sorted by it.
create table link_totals (
  program_id bigint not null,
  partner_id bigint,
  link_id bigint,
  currency text,
  clicks bigint not null default 0,
  leads bigint not null default 0,
  sales bigint not null default 0,
  revenue_cents numeric not null default 0,
  commission_cents numeric not null default 0,
  unique nulls not distinct (program_id, partner_id, link_id, currency)
);

-- Whoever writes a day, the totals follow.
create function add_clicks_to_links() returns trigger language plpgsql as $$
declare
  sign integer := tg_argv[0];
begin
  insert into link_totals as known (program_id, partner_id, link_id, clicks)
  select program_id, partner_id, link_id, sign * sum(clicks) from changed group by 1, 2, 3 order by 1, 2, 3
  on conflict (program_id, partner_id, link_id, currency) do update set clicks = known.clicks + excluded.clicks;
  return null;
end $$;
create function add_results_to_links() returns trigger language plpgsql as $$
declare
  sign integer := tg_argv[0];
begin
  insert into link_totals as known (program_id, partner_id, link_id, currency, leads, sales, revenue_cents, commission_cents)
  select program_id, partner_id, link_id, currency, sign * sum(leads), sign * sum(sales), sign * sum(revenue_cents),
    sign * sum(commission_cents)
  from changed group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (program_id, partner_id, link_id, currency) do update
    set leads = known.leads + excluded.leads, sales = known.sales + excluded.sales,
      revenue_cents = known.revenue_cents + excluded.revenue_cents,
      commission_cents = known.commission_cents + excluded.commission_cents;
  return null;
end $$;

create trigger links_add_new after insert on click_days referencing new table as changed
  for each statement execute function add_clicks_to_links('1');
create trigger links_take_before after update on click_days referencing old table as changed
  for each statement execute function add_clicks_to_links('-1');
create trigger links_add_now after update on click_days referencing new table as changed
  for each statement execute function add_clicks_to_links('1');
create trigger links_take_gone after delete on click_days referencing old table as changed
  for each statement execute function add_clicks_to_links('-1');
create trigger links_add_new after insert on result_days referencing new table as changed
  for each statement execute function add_results_to_links('1');
create trigger links_take_before after update on result_days referencing old table as changed
  for each statement execute function add_results_to_links('-1');
create trigger links_add_now after update on result_days referencing new table as changed
  for each statement execute function add_results_to_links('1');
create trigger links_take_gone after delete on result_days referencing old table as changed
  for each statement execute function add_results_to_links('-1');

insert into link_totals (program_id, partner_id, link_id, currency, clicks, leads, sales, revenue_cents, commission_cents)
select program_id, partner_id, link_id, currency, sum(clicks), sum(leads), sum(sales), sum(revenue_cents), sum(commission_cents)
from (
  select program_id, partner_id, link_id, null::text as currency, clicks, 0 as leads, 0 as sales, 0 as revenue_cents,
    0 as commission_cents
  from click_days
  union all
  select program_id, partner_id, link_id, currency, 0, leads, sales, revenue_cents, commission_cents from result_days
) days group by 1, 2, 3, 4;
