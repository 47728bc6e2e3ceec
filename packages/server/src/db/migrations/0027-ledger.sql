-- Commissions that stand without a sale (bounties for leads, bonuses, adjustments), several for one sale, coupons that
-- attribute without a click, and customers who are assigned by hand.

-- Every lock of the migration first, in the order of the writers.
lock table sales, commissions, customers, decisions, programs in access exclusive mode;
lock table partners in share row exclusive mode;

-- What a commission is paid for. Nodes of an earlier release create the ones of sales only.
alter table commissions
  alter column sale_id drop not null,
  add column kind text not null default 'sale' check (kind in ('sale', 'lead', 'bonus', 'adjustment', 'override')),
  -- The lead that a bounty is paid for, and the link that the customer came through.
  add column customer_id bigint references customers,
  add column link_id bigint,
  -- Why a person made it, in words for the partner.
  add column reason text,
  -- What computed it. Null for commissions of an earlier release, whose sale has the version, and for those made by hand.
  add column terms_version integer,
  add column rule integer,
  drop constraint one_commission_per_sale,
  add constraint one_commission_per_sale unique (sale_id, kind),
  drop constraint commissions_commission_cents_check,
  add constraint commissions_commission_cents_check check (
    commission_cents between -9007199254740991 and 9007199254740991
    and case kind when 'adjustment' then commission_cents <> 0 when 'bonus' then commission_cents > 0
      else commission_cents >= 0 end),
  -- Nothing is deducted from what is taken away anyway.
  drop constraint deductions_never_above_the_commission,
  add constraint deductions_never_above_the_commission check (deducted_cents between 0 and greatest(commission_cents, 0)),
  add constraint commissions_have_a_cause check (case kind
    when 'sale' then sale_id is not null
    when 'lead' then sale_id is null and customer_id is not null
    when 'override' then (sale_id is null) <> (customer_id is null)
    else sale_id is null and customer_id is null and reason is not null end);

-- A lead is paid once, whoever reports it again.
create unique index one_commission_per_lead on commissions (customer_id, kind) where customer_id is not null;
create index commissions_without_sale on commissions (program_id, created_at) where sale_id is null;

-- Commissions count for whom they are paid to: those of sales at the time of the sale and, unless somebody else gets them, for
-- its link; the others when they are made.
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
  select s.program_id, m.partner_id, case when m.partner_id = s.partner_id then s.link_id end, s.created_at, m.currency,
    0, 0, 0, 0, 0, m.commission_cents - m.deducted_cents, s.customer_id
  from commissions m join sales s on s.id = m.sale_id where m.stage <> 'rejected' and not s.is_test
  union all
  select program_id, partner_id, link_id, created_at, currency, 0, 0, 0, 0, 0, commission_cents - deducted_cents, customer_id
  from commissions where sale_id is null and stage <> 'rejected';

create or replace function count_commissions() returns trigger language plpgsql as $$
declare
  sign integer := tg_argv[0];
begin
  insert into result_deltas (program_id, day, partner_id, link_id, currency, commission_cents)
  select s.program_id, (s.created_at at time zone 'UTC')::date, m.partner_id,
    case when m.partner_id = s.partner_id then s.link_id end, m.currency, sign * sum(m.commission_cents - m.deducted_cents)
  from changed m join sales s on s.id = m.sale_id
  where m.stage <> 'rejected' and not s.is_test group by 1, 2, 3, 4, 5;
  insert into result_deltas (program_id, day, partner_id, link_id, currency, commission_cents)
  select program_id, (created_at at time zone 'UTC')::date, partner_id, link_id, currency,
    sign * sum(commission_cents - deducted_cents)
  from changed where sale_id is null and stage <> 'rejected' group by 1, 2, 3, 4, 5;
  return null;
exception when others then
  perform nextval('results_missed');
  raise warning 'Commissions were not counted: %', sqlerrm;
  return null;
end $$;

-- Of several commissions, the one of the sale itself follows its terms.
create or replace function refuse_other_terms() returns trigger language plpgsql as $$
declare
  created commissions;
  net_cents bigint := new.amount_cents - coalesce(new.tax_cents, 0) - coalesce(new.shipping_cents, 0);
begin
  select * into created from commissions where sale_id = new.id and kind = 'sale';
  if created.hold_reason is distinct from new.hold_reason and created.stage = 'pending'
    or new.commission_base = 'net' and created.commission_type in ('percent', 'recurring_percent')
      and created.commission_cents > round(net_cents * created.commission_rate / 100)
  then
    raise exception 'the commission that sale % owed does not follow the terms of the sale', new.id
      using errcode = 'check_violation', constraint = 'owed_commissions_follow_the_sale';
  end if;
  return null;
end $$;

-- Nodes of an earlier release deduct a refund from one commission of the sale. Where there are several, their transaction
-- fails, and a node that knows better records the refund.
create function refuse_partial_deduction() returns trigger language plpgsql as $$
begin
  if (select count(*) from commissions where sale_id = new.id) > 1 and exists (
    select from commissions m join sales s on s.id = m.sale_id
    where m.sale_id = new.id and m.stage <> 'rejected' and m.deducted_cents
      <> div(2 * m.commission_cents::numeric * s.refunded_cents + s.amount_cents, 2 * s.amount_cents))
  then
    raise exception 'a refund of sale % was not deducted from all of its commissions', new.id
      using errcode = 'check_violation', constraint = 'refunds_reach_every_commission';
  end if;
  return null;
end $$;
create constraint trigger refunds_reach_every_commission after update on sales deferrable initially deferred for each row
  when (old.refunded_cents <> new.refunded_cents) execute function refuse_partial_deduction();

-- Set when a person or a coupon assigned the customer to a partner, whose links they did not have to click.
alter table customers add column assigned_at timestamptz;

-- A code belongs to a partner. `code_key` is the code as it is compared: see coupons/coupon.ts.
create table coupons (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs,
  partner_id bigint not null references partners,
  code text not null check (char_length(code) between 1 and 64),
  code_key text collate "C" not null,
  active boolean not null default true,
  created_at timestamptz not null,
  constraint one_coupon_per_code unique (program_id, code_key)
);
create index coupons_by_partner on coupons (partner_id);

-- Whether a code takes a customer over from the partner who had them first.
alter table programs add column coupons_win boolean not null default false;

-- As it was sent. Null: none, or a sale that a node of an earlier release recorded.
alter table sales add column coupon_code text;

-- What stands for a coupon code at the payment processor: the id of a promotion code, or the subscription or invoice of a
-- checkout with one.
create table processor_codes (
  program_id bigint not null references programs,
  reference text collate "C" not null,
  code text collate "C" not null,
  primary key (program_id, reference)
);

-- Existing rows have one of the other kinds, so they are not read again.
alter table decisions
  drop constraint decisions_kind_check,
  add constraint decisions_kind_check check (kind in ('lead', 'sale', 'refund', 'commission', 'assignment')) not valid;
