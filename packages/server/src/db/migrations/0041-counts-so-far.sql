-- The counts up to the migration before, which had everybody append what they add from then on. Nobody waits for this.

-- Leads, sales and commissions as the rows say, without what will be rolled up: both are read at the same moment. Clicks as they
-- were counted, because the clicks themselves may be retired. Those days do not change any more.
insert into counts (program_id, span, day, partner_id, link_id, currency, clicks, leads, first_sales, sales, revenue_cents,
  refunded_cents, commission_cents)
select program_id, 'link_day', day, partner_id, link_id, currency, sum(clicks), sum(leads), sum(first_sales), sum(sales),
  sum(revenue_cents), sum(refunded_cents), sum(commission_cents)
from (
  select program_id, (at at time zone 'UTC')::date as day, partner_id, link_id, currency, 0 as clicks, leads, first_sales, sales,
    revenue_cents, refunded_cents, commission_cents
  from results
  union all
  select program_id, (hour at time zone 'UTC')::date, partner_id, link_id, currency, 0, -leads, -first_sales, -sales,
    -revenue_cents, -refunded_cents, -commission_cents
  from count_deltas where clicks = 0
  union all
  select program_id, day, partner_id, link_id, null, clicks, 0, 0, 0, 0, 0, 0 from click_days
) counted group by 1, 3, 4, 5, 6;

insert into counts (program_id, span, day, partner_id, link_id, currency, clicks, leads, first_sales, sales, revenue_cents,
  refunded_cents, commission_cents)
select program_id, case grouping(day) when 0 then 'program_day' else 'link' end, day, partner_id, link_id, currency, sum(clicks),
  sum(leads), sum(first_sales), sum(sales), sum(revenue_cents), sum(refunded_cents), sum(commission_cents)
from counts group by grouping sets ((program_id, day, currency), (program_id, partner_id, link_id, currency));
