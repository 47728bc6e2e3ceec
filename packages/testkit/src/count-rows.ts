type Store = { query: (sql: string, params: unknown[]) => Promise<unknown> };

const COUNTS = ['leads', 'first_sales', 'sales', 'revenue_cents', 'refunded_cents', 'commission_cents'];
const KEY = 'program_id, day, partner_id, link_id, currency';

/** What leads, sales and commissions say that the counts by link and day do not, rolled up or not. */
export const UNCOUNTED_RESULTS = `
  select ${KEY}, ${COUNTS.map((count) => `sum(${count}) as ${count}`).join(', ')}
  from (
    select program_id, (at at time zone 'UTC')::date as day, partner_id, link_id, currency, ${COUNTS.join(', ')} from results
    union all
    select ${KEY}, ${COUNTS.map((count) => `-${count}`).join(', ')} from counts where span = 'link_day'
    union all
    select program_id, (hour at time zone 'UTC')::date, partner_id, link_id, currency,
      ${COUNTS.map((count) => `-${count}`).join(', ')}
    from count_deltas
  ) differences group by ${KEY} having ${COUNTS.map((count) => `sum(${count}) <> 0`).join(' or ')}`;

/** Appends what was written or changed by hand, without the service, to what is rolled up. */
export async function countRows(db: Store): Promise<void> {
  await db.query(
    `insert into count_deltas (program_id, hour, partner_id, link_id, currency, ${COUNTS.join(', ')})
     select program_id, day::timestamp at time zone 'UTC', partner_id, link_id, currency, ${COUNTS.join(', ')}
     from (${UNCOUNTED_RESULTS}) uncounted`,
    [],
  );
}
