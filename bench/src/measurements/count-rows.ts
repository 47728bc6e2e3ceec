import type { Fixtures } from '../fixtures.ts';
import type { BenchStore } from '../store.ts';

export type Acknowledged = { clicks: number; leads: number; sales: number; refunds: number };

export type RowCheck = { what: string; acknowledged: number; stored: number };

const COUNTS = `
  select (select count(*) from clicks) as clicks,
    (select count(distinct customer_id) from clicks) as click_customers,
    (select coalesce(sum(clicks), 0) from (select clicks from click_hours union all select clicks from click_deltas) c)
      as counted_clicks,
    (select count(*) from customers where lead_at is not null) as leads,
    (select count(*) from decisions where kind = 'lead' and outcome = 'recorded') as lead_decisions,
    (select count(*) from sales) as sales,
    (select count(*) from transactions) as transactions,
    (select count(*) from commissions) as commissions,
    (select count(*) from refunds) as refunds,
    (select count(*) from commissions where reversal = 'full') as reversals,
    (select count(*) from customers where converted_at is not null) as conversions`;

/** Compares requests answered with 200 with the stored rows: nothing may be lost or stored twice. */
export function checkRows(store: BenchStore, fixtures: Fixtures, acknowledged: Acknowledged): Promise<RowCheck[]> {
  return store.withDb(async (db) => {
    const [counts] = await db.query<Record<string, number | string>>(COUNTS, []);
    const stored = (column: string) => Number(counts?.[column] ?? 0);
    const { clicks, leads, sales, refunds } = acknowledged;
    return [
      { what: 'clicks', acknowledged: clicks, stored: stored('clicks') },
      { what: 'customers of clicks', acknowledged: clicks, stored: stored('click_customers') },
      { what: 'clicks in the counters', acknowledged: clicks, stored: stored('counted_clicks') },
      { what: 'leads', acknowledged: leads, stored: stored('leads') - fixtures.buyers },
      { what: 'lead decisions', acknowledged: leads, stored: stored('lead_decisions') },
      { what: 'sales', acknowledged: sales, stored: stored('sales') },
      { what: 'transaction ids', acknowledged: sales, stored: stored('transactions') },
      { what: 'commissions', acknowledged: sales, stored: stored('commissions') },
      { what: 'conversions', acknowledged: sales, stored: stored('conversions') },
      { what: 'refunds', acknowledged: refunds, stored: stored('refunds') },
      { what: 'reversed commissions', acknowledged: refunds, stored: stored('reversals') },
    ];
  });
}
