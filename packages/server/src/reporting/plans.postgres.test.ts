import { countRows, queryOnce } from '@svc/testkit';
import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { beforeAll, expect, inject, it } from 'vitest';
import { AUDIT_LOG, type AuditFilter, selectAuditLog } from '../audit/audit-list-store.ts';
import { COMMISSIONS, type CommissionFilter, selectCommissions } from '../commissions/commission-list-store.ts';
import { CUSTOMERS, type CustomerFilter, selectCustomers } from '../customers/customer-list-store.ts';
import type { Queryable } from '../db/db.ts';
import { EVERYONE, type ProgramScope } from '../db/lists/list-query.ts';
import { listSorted, type PageOf } from '../db/lists/sorted-list.ts';
import { type EventFilter, listEvents } from '../decisions/event-list-store.ts';
import { rollUpCounts } from '../jobs/roll-up-counts.ts';
import { LINKS, selectLinks } from '../partners/links/link-list-store.ts';
import { PARTNERS, selectPartners } from '../partners/partner-list-store.ts';
import { findNumbers } from '../partners/result-totals-store.ts';
import { listBalances } from '../payouts/balance-list-store.ts';
import { PAYOUTS, selectPayouts } from '../payouts/payout-list-store.ts';
import { SALES, type SaleFilter, selectSales } from '../sales/sale-list-store.ts';
import { addDays } from '../time.ts';
import { listJourney } from './journey-store.ts';
import { findPerformance } from './performance-store.ts';
import { SEARCHES } from './search/search-store.ts';

const service = useService();

const ROWS = 20_000;
const LIMIT = 26;
/** How many rows a page may read: its own rows, the rows joined to them, and some that are filtered out. */
const MAX_READ = 400;

let made: OwnedProgram;
/** A partner with one row in a hundred, all of them old. */
let small: { partnerId: number; link: string };

// Twenty thousand rows of each kind over 200 days, a hundred a day.
const FILL = `
  with rows as (
    select n, $2::timestamptz - (${ROWS} - n) * interval '864 seconds' as at,
      case when n % 50 = 0 and n <= ${ROWS / 2} then $4::bigint else $3::bigint end as partner_id
    from generate_series(1, ${ROWS}) n
  ), people as (
    insert into customers (id, program_id, link_id, partner_id, clicked_at, created_at, customer_key, status, lead_at,
      lead_state, converted_at)
    select 1000000 + n, $1, 1, partner_id, at, at, 'user_' || n, 'conversion', at, 'settled', at from rows
  ), visits as (
    insert into clicks (program_id, link_id, partner_id, customer_id, clicked_at)
    select $1, 1, partner_id, 1000000 + n, at from rows
  ), reasons as (
    insert into decisions (program_id, kind, outcome, reason, facts, source, customer_id, partner_id, created_at)
    select $1, 'lead', 'recorded', 'lead_recorded', '{}', 'api', 1000000 + n, partner_id, at from rows
  )
  insert into count_deltas (program_id, hour, link_id, partner_id, clicks)
  select $1, date_trunc('hour', at, 'UTC'), 1, $3, count(*) from rows group by 2`;

const FILL_SALES = `
  with sold as (
    insert into sales (id, processor_event_id, program_id, customer_id, partner_id, link_id, amount_cents, currency,
      sale_type, is_recurring, commission_state, created_at)
    select id, 'order_' || id, program_id, id, partner_id, 1, 1000, 'USD', 'payment', false, 'created', created_at
    from customers where program_id = $1
    returning id, program_id, partner_id, created_at
  )
  insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents, currency,
    stage, settled_cents, approve_after, created_at)
  select id, program_id, partner_id, 'percent', 20, 200, 'USD', 'paid', 200, created_at, created_at from sold`;

const FILL_AUDIT = `
  insert into audit_events (advertiser_id, program_id, user_id, actor_kind, action, subject, subject_id, created_at)
  select $1, case when n % 20 = 1 then $2 + 1 else $2 end, case when n % 20 = 2 then 'small' else 'big' end, 'person',
    case when n % 100 = 3 then 'key.regenerated' else 'commission.approved' end, 'commission', n::text,
    $3::timestamptz - (${ROWS} - n) * interval '864 seconds'
  from generate_series(1, ${ROWS}) n`;

// Ids of a payment processor begin alike in all programs. Those of another one come first.
const FILL_TRANSACTIONS = `
  insert into transactions (processor_event_id, program_id, sale_id)
  select processor_event_id, program_id, id from sales where program_id = $1
  union all select 'order_0' || n, $1 + 1, -n from generate_series(1, ${ROWS}) n
  on conflict do nothing`;

beforeAll(async () => {
  made = await ownedProgram(service);
  small = await service.partner(made.program);
  const { untimed } = service.ctx.db;
  await untimed.query(FILL, [made.program.id, service.time, made.partnerId, small.partnerId]);
  await untimed.query(FILL_SALES, [made.program.id]);
  await untimed.query(FILL_TRANSACTIONS, [made.program.id]);
  await countRows(untimed);
  await untimed.query(FILL_AUDIT, [made.workspaceId, made.program.id, service.time]);
  await rollUpCounts.run({ ...service.ctx, db: untimed });
  const [database] = await untimed.query<{ name: string }>('select current_database() as name');
  // Never through a pooler, where every statement is part of a transaction.
  await queryOnce(new URL(`/${database?.name}`, inject('postgresUrl')).href, 'vacuum (analyze)');
});

type Node = { 'Relation Name'?: string; 'Actual Rows': number; 'Actual Loops': number; Plans?: Node[] } & Record<
  `Rows Removed by ${string}`,
  number
>;

function rowsRead(node: Node): number {
  const filteredOut = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own = node['Relation Name'] ? (node['Actual Rows'] + filteredOut) * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), own);
}

/** How many table rows the statements of `run` read. */
async function rowsReadBy(run: (db: Queryable) => Promise<unknown>): Promise<number> {
  let read = 0;
  await run({
    async query<Row>(sql: string, params?: unknown[]): Promise<Row[]> {
      const [row] = await service.sql<{ 'QUERY PLAN': { Plan: Node }[] }>(
        `explain (analyze, format json) ${sql}`,
        params,
      );
      read += rowsRead(row?.['QUERY PLAN'][0]?.Plan as Node);
      return [];
    },
  });
  return read;
}

const first = { after: null, limit: LIMIT };
const page: PageOf<'created_at'> = { sort: { by: 'created_at', isDescending: true }, ...first };
const later = { ...page, after: { key: addDays(service.time, -150), id: 1 } };
const byRevenue = { by: 'revenue_cents', isDescending: true } as const;
const latest = { before: null, limit: LIMIT };
const ago = (days: number) => addDays(service.time, -days);
const longAgo = { from: ago(190), to: ago(180) };

const all = (): ProgramScope => ({ programId: made.program.id, partnerId: EVERYONE });
/** Of the partner with few rows. */
const few = (): ProgramScope => ({ programId: made.program.id, partnerId: small.partnerId });

const customers =
  (scope: () => ProgramScope, filter: CustomerFilter = {}, from = page) =>
  (db: Queryable) =>
    listSorted(db, CUSTOMERS, selectCustomers(scope(), filter), from);
const sales =
  (scope: () => ProgramScope, filter: SaleFilter = {}) =>
  (db: Queryable) =>
    listSorted(db, SALES, selectSales(scope(), filter), page);
const commissions =
  (scope: () => ProgramScope, filter: CommissionFilter = {}) =>
  (db: Queryable) =>
    listSorted(db, COMMISSIONS, selectCommissions(scope(), filter), page);
const events =
  (scope: () => ProgramScope, filter: Partial<EventFilter> = {}) =>
  (db: Queryable) =>
    listEvents(db, scope(), { ...latest, ...filter });
const auditLog =
  (filter: AuditFilter = {}, from = page) =>
  (db: Queryable) =>
    listSorted(db, AUDIT_LOG, selectAuditLog(made.workspaceId, filter), from);

const lists: [name: string, list: (db: Queryable, programId: number) => Promise<unknown>][] = [
  ['customers', customers(all)],
  ['customers, a later page', customers(all, {}, later)],
  ['customers of a partner with few of them', customers(few)],
  ['customers from long ago', customers(all, longAgo)],
  ['customers with a status that none has', customers(all, { status: 'lead' })],
  ['customers by key', customers(all, { customer_key: 'user_77' })],
  ['customers by the start of a key', customers(all, { keyPrefix: 'user_777' })],
  ['customers by e-mail', customers(all, { keyPrefix: 'a@b', emailHash: 'none' })],
  ['sales', sales(all)],
  ['sales of a partner with few of them', sales(few)],
  ['sales from long ago', sales(all, longAgo)],
  ['sales of a customer', sales(all, { customer_key: 'user_77' })],
  ['sales by transaction', sales(all, { transaction_id: 'order_1000077' })],
  ['sales by the start of a transaction id', sales(all, { search: { prefix: 'order_100007' } })],
  ['commissions', commissions(all)],
  ['commissions of a partner with few of them', commissions(few)],
  ['commissions from long ago', commissions(all, longAgo)],
  ['commissions by transaction', commissions(all, { search: { prefix: 'order_100007' } })],
  ['events', events(all)],
  ['events, clicks only', events(all, { type: 'click' })],
  ['events that were refused', events(all, { outcome: 'refused' })],
  ['events, leads only', events(all, { type: 'lead' })],
  ['leads of a partner with few of them', events(few, { type: 'lead' })],
  ['partners', (db, id) => listSorted(db, PARTNERS, selectPartners(id, {}), page)],
  ['partners by revenue', (db, id) => listSorted(db, PARTNERS, selectPartners(id, {}), { ...page, sort: byRevenue })],
  ['links', (db) => listSorted(db, LINKS, selectLinks(all(), {}), page)],
  ['links by revenue', (db) => listSorted(db, LINKS, selectLinks(all(), {}), { ...page, sort: byRevenue })],
  ['the numbers of partners', (db, id) => findNumbers(db, 'partner', id, [made.partnerId, small.partnerId])],
  ['balances', (db) => listBalances(db, all(), {}, { sort: { by: 'payable_cents', isDescending: true }, ...first })],
  ['payouts', (db) => listSorted(db, PAYOUTS, selectPayouts(all(), {}), page)],
  ['the audit log', auditLog()],
  ['the audit log, a later page', auditLog({}, later)],
  ['the audit log of a program', (db, id) => auditLog({ program_id: id + 1 })(db)],
  ['the audit log of a person', auditLog({ user_id: 'small' })],
  ['one action of the audit log', auditLog({ action: 'key.regenerated' })],
  ['what a person never did in the audit log', auditLog({ user_id: 'small', action: 'key.regenerated' })],
  [
    'the audit log of a person in a program where they did nothing',
    (db, id) => auditLog({ user_id: 'small', program_id: id + 1 })(db),
  ],
  ['what no job did in the audit log', auditLog({ actor_kind: 'job' })],
  ['the audit log of long ago', auditLog(longAgo)],
  ['the audit log of one commission', auditLog({ subject: 'commission', subject_id: '77' })],
  ['orders that a search finds', (db) => SEARCHES.order(db, all(), { text: 'order' }, 5)],
  ['customers that a search finds', (db) => SEARCHES.customer(db, all(), { text: 'user', emailHash: 'none' }, 5)],
  ['links that a search finds', (db) => SEARCHES.link(db, all(), { text: 'l' }, 5)],
  ['coupons that a search finds', (db) => SEARCHES.coupon(db, all(), { text: 'c' }, 5)],
  ['a journey', (db, id) => listJourney(db, { programId: id, customerId: 1_000_077, partnerId: null }, LIMIT)],
];

it.each(lists)('a page of %s reads at most a few hundred rows', async (_name, list) => {
  expect(await rowsReadBy((db) => list(db, made.program.id))).toBeLessThanOrEqual(MAX_READ);
});

const whole = { partnerId: null, linkId: null };

it.each([
  // Rows per day. A whole program: one row of clicks and leads and one of sales, each read twice. A partner: the rows of two
  // partners, for clicks, leads and sales each.
  ['a program', whole, 2 * 2],
  ['a partner', { ...whole, partnerId: 1 }, 6],
])('an overview of %s reads daily rows, and finer ones only for partial days', async (_name, scope, rowsPerDay) => {
  for (const days of [7, 150]) {
    const period = { from: ago(days), to: service.time };
    const read = await rowsReadBy((db) => findPerformance(db, made.program.id, period, scope, 'day'));
    // The two partial days: 25 hours of clicks, 101 customers twice, sales, and commissions with their sales.
    expect(read).toBeLessThanOrEqual((days - 1) * rowsPerDay + 25 + 5 * 101);
  }
});
