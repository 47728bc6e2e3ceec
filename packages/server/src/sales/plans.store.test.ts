import { sampleCustomer } from '@svc/testkit/service/routes/samples.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { fullScansOf } from '@svc/testkit/service/stores/full-scans.ts';
import { beforeAll, expect, it } from 'vitest';
import { insertClicks } from '../clicks/click-store.ts';
import { COMMISSION_ROWS } from '../commissions/commission-list-store.ts';
import {
  insertCommissions,
  listCommissionsForUpdate,
  type NewCommission,
  updateDeductions,
  updateHoldEnded,
} from '../commissions/commission-store.ts';
import { lockHolders, updateAssigned } from '../customers/attribution-store.ts';
import { CUSTOMER_ROWS } from '../customers/customer-list-store.ts';
import { insertLeads, updateConversions, updateLeads } from '../customers/customer-store.ts';
import type { Queryable } from '../db/db.ts';
import { listCustomers, lockCandidates } from '../leads/lead-lookup-store.ts';
import { readRows } from '../outbox/outbox-store.ts';
import { listPayerCandidates } from '../payments/payer-store.ts';
import {
  deleteRefunds,
  listOwnRefunds,
  listRefundsByKey,
  listReportedRefunds,
  lockSales,
} from '../refunds/refund-store.ts';
import { endOf, findPieceEnd, insertCustomerFacets, listFacetResults, startOf } from '../rollups/result-facet-store.ts';
import { listLimitedRenewals, listSalesOfLimitedRules } from './renewal-store.ts';
import { listDueRepairs } from './repair/owed-commission-store.ts';
import { findSaleFacts } from './sale-facts-store.ts';
import { SALE_ROWS } from './sale-list-store.ts';
import { updateRefunded } from './sale-store.ts';
import {
  claimAliases,
  claimTransactions,
  deleteAliases,
  deleteInvoiceAlias,
  findTransactionOwners,
  listSalesUnder,
  updateTransactionSale,
} from './transaction-store.ts';

// A plan lives as long as its connection. It may be created while the tables are still empty, as they are here, and must not
// scan them once they are full.
const service = useService();

const GROWING = ['customers', 'attributions', 'clicks', 'sales', 'commissions', 'transactions', 'refunds', 'decisions'];

// The tables may still have the space of rows that tests of other files have deleted, and plans depend on it.
beforeAll(() => service.sql(`truncate ${GROWING.join(', ')} cascade`));

/** The scans of growing tables in the statements of `run` that are not index lookups. */
async function scansIn(run: (db: Queryable) => Promise<unknown>): Promise<object[]> {
  const statements: string[] = [];
  await run({
    async query<Row>(sql: string): Promise<Row[]> {
      statements.push(sql);
      return [];
    },
  });
  expect(statements.length).toBeGreaterThan(0);
  const scans = statements.map((sql) => fullScansOf(service.ctx.db, sql, GROWING));
  return (await Promise.all(scans)).flat();
}

const ROWS = [{ programId: 1, id: 1 }];
const CLAIM = { transactionId: 'order_1', programId: 1, isTest: false };
const PIECE = { programId: 1, from: startOf('2026-03-10'), to: endOf('2026-03-10') };
const customer = sampleCustomer();
const leadChange = { customer, email: null };
const commission: NewCommission = {
  kind: 'sale',
  saleId: 1,
  programId: 1,
  partnerId: 1,
  commissionType: 'percent',
  commissionRate: '20',
  cents: 1n,
  currency: 'USD',
  approveAfter: new Date(0),
  createdAt: new Date(0),
};

it.each<[statement: string, run: (db: Queryable) => Promise<unknown>]>([
  ['writing clicks', (db) => insertClicks(db, [])],
  ['looking up the customers of clicks', (db) => listCustomers(db, [1])],
  ['locking the customers of leads', (db) => lockCandidates(db, [1], [])],
  ['updating leads', (db) => updateLeads(db, [leadChange])],
  ['inserting leads', (db) => insertLeads(db, [leadChange])],
  ['looking up the customers of sales', (db) => findSaleFacts(db, [], 'key')],
  ['locking whose customers they are', (db) => lockHolders(db, [customer])],
  ['assigning customers', (db) => updateAssigned(db, [customer])],
  ['claiming transaction ids', (db) => claimTransactions(db, [CLAIM])],
  ['finding whose transaction ids they are', (db) => findTransactionOwners(db, ['order_1'])],
  ['claiming further ids', (db) => claimAliases(db, 1, [{ transactionId: 'pi_1', saleId: 1 }])],
  ['listing the sales under some ids', (db) => listSalesUnder(db, 1, ['pi_1'])],
  ['freeing the id of an invoice', (db) => deleteInvoiceAlias(db, 1, 'in_1')],
  ['freeing ids of a sale', (db) => deleteAliases(db, 1, ['in_1'])],
  ['letting an id stand for another sale', (db) => updateTransactionSale(db, 'pi_1', 1, 2)],
  ['listing renewals', (db) => listLimitedRenewals(db, 1, 1)],
  ['listing sales of rules with months', (db) => listSalesOfLimitedRules(db, 1, 1)],
  ['listing due repairs', (db) => listDueRepairs(db, new Date(0), 1)],
  ['approving what is no longer on hold', (db) => updateHoldEnded(db, new Date(0), 1)],
  ['reading sales for their events', (db) => readRows(db, SALE_ROWS, ROWS)],
  ['reading commissions for their events', (db) => readRows(db, COMMISSION_ROWS, ROWS)],
  ['reading customers for their events', (db) => readRows(db, CUSTOMER_ROWS, ROWS)],
  ['inserting commissions', (db) => insertCommissions(db, [commission], new Date(0))],
  ['recording first purchases', (db) => updateConversions(db, new Map([[1, new Date(0)]]))],
  ['locking the sales of refunds', (db) => lockSales(db, [CLAIM])],
  ['locking their commissions', (db) => listCommissionsForUpdate(db, [1])],
  ['adding up their refunds', (db) => listReportedRefunds(db, [1])],
  ['listing their reported refunds', (db) => listOwnRefunds(db, 1)],
  ['deleting their refunds', (db) => deleteRefunds(db, 1)],
  ['finding a repeated refund', (db) => listRefundsByKey(db, [{ saleId: 1, refundKey: 'refund_1' }])],
  ['updating refunded sales', (db) => updateRefunded(db, new Map([[1, 1]]))],
  [
    'updating deductions',
    (db) => updateDeductions(db, [{ commissionId: 1, deductedCents: 1, reversal: 'partial' }], new Date(0)),
  ],
  ['finding a piece of results', (db) => findPieceEnd(db, 1, PIECE.from, PIECE.to)],
  ['storing the facets of its customers', (db) => insertCustomerFacets(db, PIECE)],
  [
    'looking up who paid',
    (db) =>
      listPayerCandidates(db, {
        programId: 1,
        isTest: false,
        click: null,
        customerKey: 'user-1',
        clientReference: undefined,
        references: ['cus_1'],
        emailHash: 'hash',
        happenedAt: new Date(0),
      }),
  ],
  ['counting it by facet', (db) => listFacetResults(db, PIECE)],
])('%s uses index lookups, even when planned on empty tables', async (_statement, run) => {
  expect(await scansIn(run)).toEqual([]);
});
