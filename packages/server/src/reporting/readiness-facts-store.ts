import type { Queryable } from '../db/db.ts';
import { addDays, HOUR_MS } from '../time.ts';
import type { Signals } from './readiness.ts';
import { findOwnEvents } from './setup/own-event-store.ts';

type ChainVerdict = Signals['testChain']['click'];

/** How test customers who have reached a step were attributed; the best of them counts. */
const CHAIN_VERDICT = (reached: string) => `
  case when bool_or(${reached} and c.partner_id = l.partner_id) then 'attributed'
    when bool_or(${reached} and c.partner_id is null) then 'unattributed'
    when bool_or(${reached}) then 'wrong_partner' else 'pending' end`;

// Clicks in whole hours come from the rollup and from deltas not rolled up yet. Only the partial hour at the start of the
// last 24 hours is counted from the clicks themselves.
const FIND_SIGNALS = `
  select
    (select max(clicked_at) from clicks where program_id = $1 and not is_test) as "lastClickAt",
    (select max(clicked_at) from (
       select clicked_at, is_relayed from clicks
       where program_id = $1 and not is_test order by clicked_at desc limit 1000) latest
     where is_relayed is not null) as "lastReportedClickAt",
    (select max(lead_at) from customers where program_id = $1 and lead_at is not null and not is_test) as "lastLeadAt",
    (select max(created_at) from sales where program_id = $1 and not is_test) as "lastSaleAt",
    (select coalesce(sum(clicks), 0)::bigint from (
       select clicks from click_hours where program_id = $1 and hour >= $3
       union all
       select clicks from count_deltas where program_id = $1 and hour >= $3) counted)
    + (select count(*) from clicks
       where program_id = $1 and clicked_at > $2 and clicked_at < $3 and not is_test) as clicks,
    (select count(*) from customers
     where program_id = $1 and lead_at > $2 and lead_at is not null and not is_test) as leads,
    (select count(*) from sales where program_id = $1 and created_at > $2 and not is_test) as sales,
    exists (select 1 from processor_connections where program_id = $1) as "isConnected",
    exists (select 1 from processor_events where program_id = $1) as "hasSentEvents",
    chain.*
  from (
    select ${CHAIN_VERDICT('true')} as "testClick", ${CHAIN_VERDICT('c.lead_at is not null')} as "testLead",
      ${CHAIN_VERDICT('c.converted_at is not null')} as "testSale"
    from customers c join links l on l.id = c.link_id where c.program_id = $1 and c.is_test) chain`;

type Row = {
  lastClickAt: Date | null;
  /** Of the latest clicks, one that was reported, not only recorded by a redirect. */
  lastReportedClickAt: Date | null;
  lastLeadAt: Date | null;
  lastSaleAt: Date | null;
  clicks: number;
  leads: number;
  sales: number;
  isConnected: boolean;
  hasSentEvents: boolean;
  testClick: ChainVerdict;
  testLead: ChainVerdict;
  testSale: ChainVerdict;
};

export async function findSignals(db: Queryable, programId: number, now: Date): Promise<Signals> {
  const since = addDays(now, -1);
  const firstWholeHour = new Date(Math.floor(since.getTime() / HOUR_MS) * HOUR_MS + HOUR_MS);
  const [[row], own] = await Promise.all([
    db.query<Row>(FIND_SIGNALS, [programId, since, firstWholeHour]),
    findOwnEvents(db, programId),
  ]);
  const found = row as Row;
  return {
    testChain: { click: found.testClick, lead: found.testLead, sale: found.testSale },
    ownEvents: {
      click: own.click?.at ?? found.lastReportedClickAt,
      cookieSetBy: own.click && (own.click.isRelayed ? 'server' : 'script'),
      lead: own.lead?.at ?? found.lastLeadAt,
      sale: own.sale,
    },
    lastEventAt: { click: found.lastClickAt, lead: found.lastLeadAt, sale: found.lastSaleAt },
    processor: { isConnected: found.isConnected, hasSentEvents: found.hasSentEvents },
    counts24h: { clicks: Number(found.clicks), leads: found.leads, sales: found.sales },
  };
}
