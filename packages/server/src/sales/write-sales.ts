import { COMMISSION_ROWS } from '../commissions/commission-list-store.ts';
import { type InsertedCommission, insertCommissions } from '../commissions/commission-store.ts';
import type { Context } from '../context.ts';
import {
  insertAssignedCustomers,
  lockHolders,
  lockUndecided,
  type MovedCustomer,
  updateAssigned,
  updateCreditedClicks,
} from '../customers/attribution-store.ts';
import { CREDIT_ROWS, insertCredits } from '../customers/credit-store.ts';
import { movedCustomers } from '../customers/customer-list-store.ts';
import { listCustomersForUpdate, updateConversions } from '../customers/customer-store.ts';
import { isConcurrencyConflict, isRefusedStatement, type Queryable, type Transaction } from '../db/db.ts';
import { insertDecisions } from '../decisions/decision-store.ts';
import { announce } from '../outbox/announce.ts';
import { lockCapCounts, updateCapCounts } from '../terms/cap-store.ts';
import { needsOf } from '../terms/terms-needs.ts';
import { NEW_CUSTOMER_ID } from './coupon-credit.ts';
import { reportFirstSales } from './report-first-sales.ts';
import type { JudgedSale, SaleOutcome } from './sale.ts';
import { countPayments } from './sale-facts-store.ts';
import { SALE_ROWS } from './sale-list-store.ts';
import {
  asksForCounts,
  type ClaimedSale,
  capKeysOfSale,
  type RewardedSale,
  rewardSales,
  type SaleCounts,
} from './sale-reward.ts';
import {
  commissionsOf,
  creditOf,
  firstSales,
  isDuplicate,
  outcomeOf,
  saleDecision,
  saleRow,
  type WrittenSale,
} from './sale-rows.ts';
import { insertSales } from './sale-store.ts';
import { claimKey, claimTransactions, findTransactionOwners } from './transaction-store.ts';

type SalesWritten =
  | { is: 'written'; outcomes: SaleOutcome[] }
  /** Another transaction was faster. Nothing was written: the sales have to be looked up and judged again. */
  | { is: 'stale' }
  | CommissionFailed;

/** The only sale could not be written. It may be possible to write it without its commission. */
export type CommissionFailed = { is: 'commission_failed'; error: unknown };

/** Writes judged sales in one transaction, with everything that follows from them. With `isOwing`, they owe their commissions. */
export async function writeSales(
  ctx: Context,
  judged: JudgedSale[],
  { isOwing }: { isOwing: boolean },
): Promise<SalesWritten> {
  try {
    return await ctx.db.transaction((tx) => write(ctx, tx, judged, isOwing));
  } catch (error) {
    // Two nodes that record sales of the same customers at once can deadlock.
    if (isConcurrencyConflict(error)) return { is: 'stale' };
    // In a group, another sale may have caused the error. The group commit then writes each sale on its own.
    if (judged.length > 1 || isOwing || !isRefusedStatement(error)) throw error;
    return { is: 'commission_failed', error };
  }
}

async function write(ctx: Context, tx: Transaction, judged: JudgedSale[], isOwing: boolean): Promise<SalesWritten> {
  const taken = await takeCustomers(tx, await claimIds(tx, judged));
  if (taken === 'stale' || !(await creditClicks(tx, taken.claimed))) {
    tx.rollBack();
    return { is: 'stale' };
  }
  const { claimed, moved } = taken;
  const { rewarded, caps } = rewardSales(claimed, await lockCounts(tx, claimed.filter(asksForCounts)), isOwing);
  const written = rewarded.filter((sale): sale is WrittenSale => sale.saleId !== null);
  const decided = rewarded.filter((sale) => !(isDuplicate(sale) && sale.attempt.sale.hasGeneratedId));
  // Commissions and credits refer to sales, so the order matters.
  const [, , commissions, { credited, decisionIds }] = await Promise.all([
    updateCapCounts(tx, caps),
    insertSales(tx, written.map(saleRow)),
    insertCommissions(tx, written.flatMap(commissionsOf), ctx.now()),
    grantAndDecide(ctx, tx, written, decided),
    updateConversions(tx, firstSales(written)),
  ]);
  const decisionOf = (sale: RewardedSale) => decisionIds[decided.indexOf(sale)] ?? 0;
  await reportFirstSales(tx, ctx, written);
  announceSales(ctx, tx, written, { commissions, credited, moved, decisionOf });
  const commissionIds = new Map(commissions.flatMap(({ id, kind, saleId }) => (kind === 'sale' ? [[saleId, id]] : [])));
  const outcomes = rewarded.map((sale) =>
    outcomeOf(sale, {
      commissionId: commissionIds.get(sale.saleId) ?? null,
      decisionId: decisionOf(sale),
      isCredited: sale.saleId !== null && credited.has(sale.saleId),
    }),
  );
  return { is: 'written', outcomes };
}

type Following = {
  commissions: InsertedCommission[];
  credited: Map<number, number>;
  moved: MovedCustomer[];
  decisionOf: (sale: RewardedSale) => number;
};

/** Announces the sales that are no tests, and what followed from each. */
function announceSales(ctx: Context, tx: Transaction, written: WrittenSale[], following: Following): void {
  const { commissions, credited, moved, decisionOf } = following;
  const real = written.filter(({ attempt }) => !attempt.sale.isTest);
  const about = (sale: WrittenSale) => ({ programId: sale.attempt.program.id, decisionId: decisionOf(sale) });
  announce(ctx, tx, [
    {
      rows: SALE_ROWS,
      events: real.map((sale) => ({ type: 'sale.created', id: sale.saleId, ...about(sale) })),
    },
    {
      rows: COMMISSION_ROWS,
      events: real.flatMap((sale) =>
        commissions
          .filter(({ saleId }) => saleId === sale.saleId)
          .map(({ id }) => ({ type: 'commission.created' as const, id, ...about(sale) })),
      ),
    },
    {
      rows: CREDIT_ROWS,
      events: real.flatMap((sale) => {
        const id = credited.get(sale.saleId);
        return id === undefined ? [] : [{ type: 'credit.granted' as const, id, ...about(sale) }];
      }),
    },
    movedCustomers(moved, (id) => real.filter(({ facts }) => facts.customer?.id === id).map(decisionOf)[0]),
  ]);
}

/** Claims the transaction ids. If several sales of the group share an id, the first one gets it. */
async function claimIds(tx: Queryable, judged: JudgedSale[]): Promise<ClaimedSale[]> {
  const first = new Map<string, JudgedSale>();
  for (const sale of judged) {
    const key = claimKey(claimOf(sale));
    if (sale.refusal === null && !first.has(key)) first.set(key, sale);
  }
  const saleIds = await claimTransactions(tx, [...first.values()].map(claimOf));
  const claimed = judged.map((sale): ClaimedSale => {
    const key = claimKey(claimOf(sale));
    return { ...sale, saleId: first.get(key) === sale ? (saleIds.get(key) ?? null) : null, owner: null };
  });
  const duplicates = claimed.filter((sale) => isDuplicate(sale) && !sale.attempt.sale.isTest);
  if (duplicates.length === 0) return claimed;
  const idOf = ({ attempt }: ClaimedSale) => attempt.sale.transactionId;
  const owners = await findTransactionOwners(tx, duplicates.map(idOf));
  return claimed.map((sale) => (duplicates.includes(sale) ? { ...sale, owner: owners.get(idOf(sale)) ?? null } : sale));
}

function claimOf({ attempt: { program, sale } }: JudgedSale) {
  return { transactionId: sale.transactionId, programId: program.id, isTest: sale.isTest };
}

type Taken = { claimed: ClaimedSale[]; moved: MovedCustomer[] };

/**
 * Gives the customers of sales with a coupon to its partner, and adds those who are not known yet. Stale if another transaction
 * changed whose customers they are.
 */
async function takeCustomers(tx: Queryable, claimed: ClaimedSale[]): Promise<Taken | 'stale'> {
  const taking = claimed.filter(({ coupon, saleId }) => saleId !== null && coupon?.takesCustomer);
  if (taking.length === 0) return { claimed, moved: [] };
  const isNew = ({ facts }: ClaimedSale) => facts.customer?.id === NEW_CUSTOMER_ID;
  const [newcomers, known] = [taking.filter(isNew), taking.filter((sale) => !isNew(sale))];
  const added = await insertAssignedCustomers(
    tx,
    newcomers.map(({ facts, now }) => ({ customer: facts.customer!, createdAt: now })),
  );
  if (added.length < newcomers.length) return 'stale';
  let moved: MovedCustomer[] = [];
  if (known.length > 0) {
    const locked = await lockHolders(
      tx,
      known.flatMap(({ facts }) => facts.holder ?? []),
    );
    if (locked < known.length) return 'stale';
    moved = await updateAssigned(
      tx,
      known.flatMap(({ facts }) => facts.customer ?? []),
    );
  }
  const identified = claimed.map((sale) => {
    const id = added[newcomers.indexOf(sale)];
    if (id === undefined || !sale.facts.customer) return sale;
    return { ...sale, facts: { ...sale.facts, customer: { ...sale.facts.customer, id } } };
  });
  return { claimed: identified, moved };
}

/**
 * Fixes which clicks are credited, for sales that are the first conversions of their customers. False if another transaction was
 * faster. A coupon that takes the customer leaves nothing to decide.
 */
async function creditClicks(tx: Queryable, claimed: ClaimedSale[]): Promise<boolean> {
  const deciding = claimed.flatMap(({ saleId, coupon, facts: { customer, lastClick } }) =>
    saleId !== null && customer && lastClick && !coupon?.takesCustomer ? [{ customerId: customer.id, lastClick }] : [],
  );
  if (deciding.length === 0) return true;
  const locked = await lockUndecided(
    tx,
    deciding.map(({ customerId }) => customerId),
  );
  if (locked < deciding.length) return false;
  await updateCreditedClicks(
    tx,
    deciding.flatMap(({ customerId, lastClick: { click } }) => (click ? [{ customerId, click }] : [])),
  );
  return true;
}

/** Locks and reads what the rules ask about other sales. Most rules ask nothing, and their sales cost no statement here. */
async function lockCounts(tx: Queryable, asking: ClaimedSale[]): Promise<SaleCounts> {
  const counted = asking.filter(({ terms }) => needsOf(terms, 'sale').paymentNumber);
  const ids = [...new Set(counted.flatMap(({ facts }) => facts.customer?.id ?? []))];
  if (ids.length > 0) await listCustomersForUpdate(tx, ids);
  // Read only once the customers are locked: a sale that was waited for has to be counted.
  const counts = ids.length > 0 ? await countPayments(tx, ids) : new Map<number, number>();
  return {
    payments: new Map(ids.map((id) => [id, counts.get(id) ?? 0])),
    caps: await lockCapCounts(tx, asking.flatMap(capKeysOfSale)),
  };
}

/** Grants credits, then writes the decisions, which say who got one. */
async function grantAndDecide(ctx: Context, tx: Queryable, written: WrittenSale[], decided: RewardedSale[]) {
  const credited = await insertCredits(tx, written.flatMap(creditOf), ctx.now());
  const decisions = decided.map((sale) => saleDecision(sale, sale.saleId !== null && credited.has(sale.saleId)));
  return { credited, decisionIds: await insertDecisions(tx, decisions) };
}
