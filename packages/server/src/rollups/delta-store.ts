// What statements append to `count_deltas`, where a job finds it and rolls it up. Each is part of the statement that makes it
// true, so that both happen or neither. What counts is what the view `results` says.

const hourOf = (time: string) => `date_trunc('hour', ${time}, 'UTC')`;

/** Part of the click statement: counts the clicks of the rows of `input`. */
export const APPEND_CLICKS = `
  insert into count_deltas (program_id, hour, partner_id, link_id, clicks)
  select program_id, ${hourOf('clicked_at')}, partner_id, link_id, count(*)
  from input where not is_test group by 1, 2, 3, 4`;

/** The columns of a table that count, and what the rows of `changed`, each with its sign, add to the counts. */
type Counted = { columns: string; deltas: string };

/** Customers count when they sign up, and when they first buy. */
export const CUSTOMERS: Counted = {
  columns: 'program_id, partner_id, link_id, lead_at, converted_at, is_test',
  deltas: `
    select program_id, ${hourOf('at')} as hour, partner_id, link_id, sum(leads) as leads, sum(first_sales) as first_sales
    from (
      select program_id, lead_at as at, partner_id, link_id, sign as leads, 0 as first_sales from changed where not is_test
      union all
      select program_id, converted_at, partner_id, link_id, 0, sign from changed where not is_test) dated
    where at is not null group by 1, 2, 3, 4 having sum(leads) <> 0 or sum(first_sales) <> 0`,
};

/** What statements change that move no sign-up: they cost a third less. */
export const CUSTOMERS_WHO_BUY: Counted = {
  columns: 'program_id, partner_id, link_id, converted_at, is_test',
  deltas: `
    select program_id, ${hourOf('converted_at')} as hour, partner_id, link_id, 0 as leads, sum(sign) as first_sales
    from changed where not is_test and converted_at is not null group by 1, 2, 3, 4 having sum(sign) <> 0`,
};

export const SALES: Counted = {
  columns: 'program_id, partner_id, link_id, created_at, currency, amount_cents, refunded_cents, is_test',
  deltas: `
    select program_id, ${hourOf('created_at')} as hour, partner_id, link_id, currency, sum(sign) as sales,
      sum(sign * amount_cents) as revenue_cents, sum(sign * refunded_cents) as refunded_cents
    from changed where not is_test group by 1, 2, 3, 4, 5
    having sum(sign) <> 0 or sum(sign * amount_cents) <> 0 or sum(sign * refunded_cents) <> 0`,
};

/**
 * Commissions count for the partner who is paid: those of sales at the time of the sale and, unless another partner gets them,
 * for its link; the others when they are made.
 */
export const COMMISSIONS: Counted = {
  columns: 'sale_id, program_id, partner_id, link_id, created_at, currency, commission_cents, deducted_cents, stage',
  deltas: `
    select m.program_id, ${hourOf('coalesce(s.created_at, m.created_at)')} as hour, m.partner_id,
      case when m.sale_id is null then m.link_id when m.partner_id = s.partner_id then s.link_id end as link_id, m.currency,
      sum(m.sign * (m.commission_cents - m.deducted_cents)) as commission_cents
    from changed m left join sales s on s.id = m.sale_id
    where m.stage <> 'rejected' and s.is_test is not true group by 1, 2, 3, 4, 5
    having sum(m.sign * (m.commission_cents - m.deducted_cents)) <> 0`,
};

// The end of a statement selects from `counted`: Postgres runs a function in a CTE only if something reads it.
const count = ({ deltas }: Counted, changed: string) => `
  changed as (${changed}),
  counted as materialized (select append_counts(json_agg(delta)) from (${deltas}) delta)`;

/** Ends a statement: counts the rows of the CTE `written`, which it has inserted, and selects `columns` of them. */
export const countAdded = (of: Counted, columns = '') => `
  ${count(of, `select 1 as sign, ${of.columns} from written`)} select ${columns} from written, counted`;

/**
 * Ends a statement: counts the rows of `written` as they are now instead of as they were in `before`, which were locked before
 * they were read, and selects `columns` of them.
 */
export const countChanged = (of: Counted, columns = '') => `
  ${count(of, `select -1 as sign, ${of.columns} from before union all select 1, ${of.columns} from written`)}
  select ${columns} from written, counted`;

/** Ends a statement: no longer counts the rows of the CTE `before`, which it has deleted, and selects `values` in one row. */
export const countRemoved = (of: Counted, values = '') => `
  ${count(of, `select -1 as sign, ${of.columns} from before`)} select ${values} from counted`;
