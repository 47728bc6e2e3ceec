-- Reports by coupon, by new and recurring payments, and by the month in which customers first bought.

-- Every lock of the migration first, in the order of the writers.
lock table sales, commissions, customers in access share mode;
lock table customer_facets, result_facet_days in access exclusive mode;

-- The month in which the customer first bought, as it was last counted. Null in what nodes of an earlier release write.
alter table customer_facets add column cohort text;

-- Null for a day that was counted without them: by an earlier release, or before this migration. The job counts it again.
alter table result_facet_days add column coupon text;
alter table result_facet_days add column payment text;
alter table result_facet_days add column cohort text;
create index result_facet_days_to_count on result_facet_days (program_id, day) where cohort is null;

-- Results say which coupon was used, and whether it was a renewal. Null for what is no payment.
create or replace view results as
  select program_id, partner_id, link_id, lead_at as at, null::text as currency, 1 as leads, 0 as first_sales, 0 as sales,
    0::bigint as revenue_cents, 0::bigint as refunded_cents, 0::bigint as commission_cents, id as customer_id, id as row_id,
    null::text as coupon_code, null::boolean as is_recurring
  from customers where lead_at is not null and not is_test
  union all
  select program_id, partner_id, link_id, converted_at, null, 0, 1, 0, 0, 0, 0, id, id, null, null
  from customers where converted_at is not null and not is_test
  union all
  select program_id, partner_id, link_id, created_at, currency, 0, 0, 1, amount_cents, refunded_cents, 0, customer_id, id,
    coupon_code, is_recurring
  from sales where not is_test
  union all
  select s.program_id, m.partner_id, case when m.partner_id = s.partner_id then s.link_id end, s.created_at, m.currency,
    0, 0, 0, 0, 0, m.commission_cents - m.deducted_cents, s.customer_id, s.id, s.coupon_code, s.is_recurring
  from commissions m join sales s on s.id = m.sale_id where m.stage <> 'rejected' and not s.is_test
  union all
  select program_id, partner_id, link_id, created_at, currency, 0, 0, 0, 0, 0, commission_cents - deducted_cents, customer_id, id,
    null, null
  from commissions where sale_id is null and stage <> 'rejected';
