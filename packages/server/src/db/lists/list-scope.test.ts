import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listAlerts } from '../../alerts/alert-store.ts';
import { selectAuditLog } from '../../audit/audit-list-store.ts';
import { selectBulkRows } from '../../bulk-actions/bulk-row-store.ts';
import { findCommission, selectCommissions } from '../../commissions/commission-list-store.ts';
import { selectCoupons } from '../../coupons/coupon-store.ts';
import { findCustomer, findCustomerDetails, selectCustomers } from '../../customers/customer-list-store.ts';
import { listEvents } from '../../decisions/event-list-store.ts';
import { findLinkRow, selectLinks } from '../../partners/links/link-list-store.ts';
import { findPartnerRow, selectPartners } from '../../partners/partner-list-store.ts';
import { findBalanceTotals, listBalances, listPayable } from '../../payouts/balance-list-store.ts';
import { findPayout, listPayoutsByIds, selectPayouts } from '../../payouts/payout-list-store.ts';
import { SEARCHES } from '../../reporting/search/search-store.ts';
import { selectSales } from '../../sales/sale-list-store.ts';
import { findEndpoint, listEndpoints } from '../../webhooks/endpoint-store.ts';
import type { Queryable } from '../db.ts';
import { EVERYONE, type ProgramScope, type Selection, whereClause } from './list-query.ts';

/** A list without its scope must not reach the store. */
const unreachable: Queryable = { query: () => Promise.reject(new Error('The store was asked')) };
const where = async (selection: Selection) => whereClause(selection, []);
const latest = { before: null, limit: 1 };
const byPartner = { sort: { by: 'partner_id', isDescending: false }, after: null, limit: 1 } as const;

/** By file: every list of a program and a partner, and every list of a program or a workspace alone. */
const OF_A_PARTNER: [file: string, list: (scope: ProgramScope) => Promise<unknown>][] = [
  ['commissions/commission-list-store.ts', (scope) => where(selectCommissions(scope, {}))],
  ['coupons/coupon-store.ts', (scope) => where(selectCoupons(scope, {}))],
  ['customers/customer-list-store.ts', (scope) => where(selectCustomers(scope, {}))],
  ['customers/customer-list-store.ts', (scope) => findCustomerDetails(unreachable, scope, 1)],
  ['decisions/event-list-store.ts', (scope) => listEvents(unreachable, scope, { ...latest, type: 'click' })],
  ['decisions/event-list-store.ts', (scope) => listEvents(unreachable, scope, { ...latest, type: 'sale' })],
  ['partners/links/link-list-store.ts', (scope) => where(selectLinks(scope, {}))],
  ['partners/links/link-list-store.ts', (scope) => findLinkRow(unreachable, scope, 1)],
  ['payouts/balance-list-store.ts', (scope) => listBalances(unreachable, scope, {}, byPartner)],
  ['payouts/balance-list-store.ts', (scope) => findBalanceTotals(unreachable, scope, {})],
  ['payouts/balance-list-store.ts', (scope) => listPayable(unreachable, scope, {}, 1)],
  ['payouts/payout-list-store.ts', (scope) => where(selectPayouts(scope, {}))],
  ['payouts/payout-list-store.ts', (scope) => findPayout(unreachable, scope, 1)],
  ['reporting/search/search-store.ts', (scope) => SEARCHES.link(unreachable, scope, { text: 'a' }, 1)],
  ['reporting/search/search-store.ts', (scope) => SEARCHES.coupon(unreachable, scope, { text: 'a' }, 1)],
  ['sales/sale-list-store.ts', (scope) => where(selectSales(scope, {}))],
];

const OF_EVERYONE: [file: string, list: (id: number) => Promise<unknown>][] = [
  ['alerts/alert-store.ts', (id) => listAlerts(unreachable, id, new Date(0), 1)],
  ['audit/audit-list-store.ts', (id) => where(selectAuditLog(id, {}))],
  ['bulk-actions/bulk-row-store.ts', (id) => where(selectBulkRows(id, 1))],
  ['commissions/commission-list-store.ts', (id) => findCommission(unreachable, id, 1)],
  ['customers/customer-list-store.ts', (id) => findCustomer(unreachable, id, 1)],
  ['partners/partner-list-store.ts', (id) => where(selectPartners(id, {}))],
  ['partners/partner-list-store.ts', (id) => findPartnerRow(unreachable, id, 1)],
  ['payouts/payout-list-store.ts', (id) => listPayoutsByIds(unreachable, id, [1])],
  ['webhooks/endpoint-store.ts', (id) => listEndpoints(unreachable, id)],
  ['webhooks/endpoint-store.ts', (id) => findEndpoint(unreachable, id, 1)],
];

const LACKS = 'The scope of a list lacks a value';
// What the compiler does not let through, but a mistake in a cast or in JavaScript would.
const MISSING = [undefined, null] as unknown as number[];

describe.each(MISSING)('a list whose scope has %s', (missing) => {
  it.each(OF_A_PARTNER)('as its partner throws: %s', async (_file, list) => {
    await expect((async () => list({ programId: 1, partnerId: missing }))()).rejects.toThrow(LACKS);
  });

  it.each(OF_A_PARTNER)('as its program throws: %s', async (_file, list) => {
    for (const partnerId of [1, EVERYONE] as const) {
      await expect((async () => list({ programId: missing, partnerId }))()).rejects.toThrow(LACKS);
    }
  });

  it.each(OF_EVERYONE)('as its program or workspace throws: %s', async (_file, list) => {
    await expect((async () => list(missing))()).rejects.toThrow(LACKS);
  });
});

it('every store with the scope of a list is tested here', () => {
  const folder = new URL('../..', import.meta.url);
  const stores = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('-store.ts'))
    .filter((path) => /\bscope: \[|\binProgram\(|\binScope\(/.test(readFileSync(new URL(path, folder), 'utf8')));
  const tested = new Set([...OF_A_PARTNER, ...OF_EVERYONE].map(([file]) => file));
  expect([...stores].sort()).toEqual([...tested].sort());
});
