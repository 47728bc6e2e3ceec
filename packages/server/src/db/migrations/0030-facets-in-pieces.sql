-- Results are counted by facet in pieces, so that requests get their turn in between. A piece ends at a row, because any number
-- of results may have the same time.

-- Every lock of the migration first, in the order of the writers.
lock table commissions, customers in access exclusive mode;

drop index customers_by_lead;
create index customers_by_lead on customers (program_id, lead_at, id) where lead_at is not null;
drop index customers_by_conversion;
create index customers_by_conversion on customers (program_id, converted_at, id) where converted_at is not null;
drop index commissions_without_sale;
create index commissions_without_sale on commissions (program_id, created_at, id) where sale_id is null;

-- Results name the row that they are found by.
create or replace view results as
  select program_id, partner_id, link_id, lead_at as at, null::text as currency, 1 as leads, 0 as first_sales, 0 as sales,
    0::bigint as revenue_cents, 0::bigint as refunded_cents, 0::bigint as commission_cents, id as customer_id, id as row_id
  from customers where lead_at is not null and not is_test
  union all
  select program_id, partner_id, link_id, converted_at, null, 0, 1, 0, 0, 0, 0, id, id
  from customers where converted_at is not null and not is_test
  union all
  select program_id, partner_id, link_id, created_at, currency, 0, 0, 1, amount_cents, refunded_cents, 0, customer_id, id
  from sales where not is_test
  union all
  select s.program_id, m.partner_id, case when m.partner_id = s.partner_id then s.link_id end, s.created_at, m.currency,
    0, 0, 0, 0, 0, m.commission_cents - m.deducted_cents, s.customer_id, s.id
  from commissions m join sales s on s.id = m.sale_id where m.stage <> 'rejected' and not s.is_test
  union all
  select program_id, partner_id, link_id, created_at, currency, 0, 0, 0, 0, 0, commission_cents - deducted_cents, customer_id, id
  from commissions where sale_id is null and stage <> 'rejected';

-- Days that an attempt is counting. If it is interrupted, they stay here and are counted again. A newer attempt takes them over.
create table facet_days_in_progress (
  program_id bigint not null,
  day date not null,
  attempt uuid not null,
  primary key (program_id, day)
);
