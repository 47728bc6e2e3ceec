import { beforeAll, expect, it } from 'vitest';
import { type OwnedProgram, ownedProgram } from '../../test/accounts.ts';
import { useService } from '../../test/service.ts';
import type { Queryable } from '../db/db.ts';
import { rollUpCounts } from '../jobs/roll-up-counts.ts';
import { listLinks } from '../partners/lists/link-list-store.ts';
import { findNumbers } from '../partners/lists/number-store.ts';
import { listPartners } from '../partners/lists/partner-list-store.ts';
import { listBalances } from '../payouts/balance-list-store.ts';
import { listPayouts } from '../payouts/payout-store.ts';
import { addDays } from '../time.ts';
import { listJourney } from './journey-store.ts';
import { listAuditLog } from './lists/audit-list-store.ts';
import { listCommissions } from './lists/commission-list-store.ts';
import { listCustomers } from './lists/customer-list-store.ts';
import { listEvents } from './lists/event-list-store.ts';
import { listSales } from './lists/sale-list-store.ts';
import { findPerformance } from './performance-store.ts';

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
  insert into click_deltas (program_id, hour, link_id, partner_id, clicks)
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

beforeAll(async () => {
  made = await ownedProgram(service);
  small = await service.partner(made.program);
  const { untimed } = service.ctx.db;
  await untimed.query(FILL, [made.program.id, service.time, made.partnerId, small.partnerId]);
  await untimed.query(FILL_SALES, [made.program.id]);
  await untimed.query(FILL_AUDIT, [made.workspaceId, made.program.id, service.time]);
  await rollUpCounts.run({ ...service.ctx, db: untimed });
  await untimed.query('vacuum (analyze)');
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
const page = { sort: { by: 'created_at', isDescending: true }, ...first } as const;
const later = { ...page, after: { key: addDays(service.time, -150), id: 1 } };
const byRevenue = { by: 'revenue_cents', isDescending: true } as const;
const latest = { before: null, limit: LIMIT };
const ago = (days: number) => addDays(service.time, -days);
const all = { partnerId: null };

const lists: [name: string, list: (db: Queryable, programId: number) => Promise<unknown>][] = [
  ['customers', (db, id) => listCustomers(db, id, all, page)],
  ['customers, a later page', (db, id) => listCustomers(db, id, all, { ...page, after: { key: ago(150), id: 1 } })],
  ['customers of a partner with few of them', (db, id) => listCustomers(db, id, small, page)],
  ['customers from long ago', (db, id) => listCustomers(db, id, { ...all, from: ago(190), to: ago(180) }, page)],
  ['customers with a status that none has', (db, id) => listCustomers(db, id, { ...all, status: 'lead' }, page)],
  ['customers by key', (db, id) => listCustomers(db, id, { ...all, customerKey: 'user_77' }, page)],
  ['customers by the start of a key', (db, id) => listCustomers(db, id, { ...all, keyPrefix: 'user_777' }, page)],
  ['customers by e-mail', (db, id) => listCustomers(db, id, { ...all, keyPrefix: 'a@b', emailHash: 'none' }, page)],
  ['sales', (db, id) => listSales(db, id, all, page)],
  ['sales of a partner with few of them', (db, id) => listSales(db, id, small, page)],
  ['sales from long ago', (db, id) => listSales(db, id, { ...all, from: ago(190), to: ago(180) }, page)],
  ['sales of a customer', (db, id) => listSales(db, id, { ...all, customerKey: 'user_77' }, page)],
  ['sales by transaction', (db, id) => listSales(db, id, { ...all, transactionId: 'order_1000077' }, page)],
  [
    'sales by the start of a transaction id',
    (db, id) => listSales(db, id, { ...all, search: { prefix: 'order_100007' } }, page),
  ],
  ['commissions', (db, id) => listCommissions(db, id, all, page)],
  ['commissions of a partner with few of them', (db, id) => listCommissions(db, id, small, page)],
  ['commissions from long ago', (db, id) => listCommissions(db, id, { ...all, from: ago(190), to: ago(180) }, page)],
  [
    'commissions by transaction',
    (db, id) => listCommissions(db, id, { ...all, search: { prefix: 'order_100007' } }, page),
  ],
  ['events', (db, id) => listEvents(db, id, { ...all, ...latest })],
  ['events, clicks only', (db, id) => listEvents(db, id, { ...all, ...latest, type: 'click' })],
  ['events that were refused', (db, id) => listEvents(db, id, { ...all, ...latest, outcome: 'refused' })],
  ['events, leads only', (db, id) => listEvents(db, id, { ...all, ...latest, type: 'lead' })],
  ['leads of a partner with few of them', (db, id) => listEvents(db, id, { ...small, ...latest, type: 'lead' })],
  ['partners', (db, id) => listPartners(db, id, {}, page)],
  ['partners by revenue', (db, id) => listPartners(db, id, {}, { ...page, sort: byRevenue })],
  ['links', (db, id) => listLinks(db, id, all, page)],
  ['links by revenue', (db, id) => listLinks(db, id, all, { ...page, sort: byRevenue })],
  ['the numbers of partners', (db, id) => findNumbers(db, 'partner', id, [made.partnerId, small.partnerId])],
  ['balances', (db, id) => listBalances(db, id, {}, { sort: { by: 'payable_cents', isDescending: true }, ...first })],
  ['payouts', (db, id) => listPayouts(db, id, all, page)],
  ['the audit log', (db) => listAuditLog(db, made.workspaceId, {}, page)],
  ['the audit log, a later page', (db) => listAuditLog(db, made.workspaceId, {}, later)],
  ['the audit log of a program', (db, id) => listAuditLog(db, made.workspaceId, { programId: id + 1 }, page)],
  ['the audit log of a person', (db) => listAuditLog(db, made.workspaceId, { userId: 'small' }, page)],
  ['one action of the audit log', (db) => listAuditLog(db, made.workspaceId, { action: 'key.regenerated' }, page)],
  [
    'what a person never did in the audit log',
    (db) => listAuditLog(db, made.workspaceId, { userId: 'small', action: 'key.regenerated' }, page),
  ],
  [
    'the audit log of a person in a program where they did nothing',
    (db, id) => listAuditLog(db, made.workspaceId, { userId: 'small', programId: id + 1 }, page),
  ],
  ['what no job did in the audit log', (db) => listAuditLog(db, made.workspaceId, { actorKind: 'job' }, page)],
  ['the audit log of long ago', (db) => listAuditLog(db, made.workspaceId, { from: ago(190), to: ago(180) }, page)],
  [
    'the audit log of one commission',
    (db) => listAuditLog(db, made.workspaceId, { subject: 'commission', subjectId: '77' }, page),
  ],
  ['a journey', (db, id) => listJourney(db, id, 1_000_077, null, LIMIT)],
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
