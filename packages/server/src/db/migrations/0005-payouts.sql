-- What partners have coming and what they were paid; and indexes for the lists that people page through.

-- Every lock of the migration first, in the order of the writers.
lock table sales, commissions, customers in access exclusive mode;
lock table decisions in share mode;
lock table programs, partners in share row exclusive mode;
lock table users in access exclusive mode;

alter table users add column payout_details text;

-- A payout is made of what was due on a partner's commissions in one currency at that moment.
create table payouts (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs,
  partner_id bigint not null references partners,
  currency text not null,
  amount_cents bigint not null check (amount_cents between 1 and 9007199254740991),
  status text not null default 'open' check (status in ('open', 'paid', 'cancelled')),
  reference text,
  created_at timestamptz not null,
  paid_at timestamptz,
  cancelled_at timestamptz,
  check ((status = 'paid') = (paid_at is not null)),
  check ((status = 'cancelled') = (cancelled_at is not null))
);
create index payouts_by_program on payouts (program_id, id);
create index payouts_by_partner on payouts (partner_id, id);

-- A commission that was taken back after it was in a payout comes into the next one with a negative amount.
create table payout_lines (
  payout_id bigint not null references payouts,
  commission_id bigint not null references commissions,
  amount_cents bigint not null check (amount_cents <> 0),
  primary key (payout_id, commission_id)
);
create index payout_lines_by_commission on payout_lines (commission_id);

-- `settled_cents` is the sum of a commission's lines in payouts that were not cancelled. What is due is what it earns
-- less that: nobody computes it twice, and the few rows where it is not zero have an index of their own.
alter table commissions add column settled_cents bigint not null default 0;
alter table commissions add column due_cents bigint generated always as (
  case when stage in ('approved', 'paid') then commission_cents - deducted_cents else 0 end - settled_cents) stored;
create index commissions_due on commissions (program_id, partner_id, currency) where due_cents <> 0;
create index commissions_pending on commissions (program_id, partner_id, currency) where stage = 'pending';

-- Lists are newest first, within a program or within one partner of it.
drop index commissions_by_program;
drop index commissions_by_partner;
create index commissions_by_program on commissions (program_id, created_at, id);
create index commissions_by_partner on commissions (partner_id, created_at, id);
create index sales_by_partner on sales (partner_id, created_at, id);
drop index customers_by_program;
create index customers_by_program on customers (program_id, created_at, id);
create index customers_by_partner on customers (partner_id, created_at, id) where partner_id is not null;
create index customers_by_status on customers (program_id, status, created_at, id) where status <> 'click';
create index customers_by_conversion on customers (program_id, converted_at) where converted_at is not null;
create index decisions_by_partner on decisions (partner_id, created_at, kind, id) where partner_id is not null;

-- Clicks by day as well as by hour: a chart of a year reads days, and hours only where its period cuts one.
create table click_days (
  program_id bigint not null,
  day date not null,
  link_id bigint not null,
  partner_id bigint not null,
  clicks bigint not null,
  primary key (program_id, day, link_id)
);
insert into click_days (program_id, day, link_id, partner_id, clicks)
select program_id, (hour at time zone 'UTC')::date, link_id, min(partner_id), sum(clicks) from click_hours group by 1, 2, 3;
