import { insertCommissions } from '../commissions/commission-store.ts';
import type { Context } from '../context.ts';
import { insertAssignedCustomers, lockHolders, updateAssigned } from '../customers/attribution-store.ts';
import { insertCredits } from '../customers/credit-store.ts';
import { listCustomersForUpdate, updateConversions } from '../customers/customer-store.ts';
import { isConcurrencyConflict, isRefusedStatement, type Queryable, type Transaction } from '../db/db.ts';
import { insertDecisions } from '../decisions/decision-store.ts';
import { lockCapCounts, updateCapCounts } from '../terms/cap-store.ts';
import { needsOf } from '../terms/terms-needs.ts';
import { NEW_CUSTOMER_ID } from './coupon-credit.ts';
import { reportFirstSales } from './report-first-sales.ts';
import type { JudgedSale, SaleOutcome } from './sale.ts';
import { countPayments } from './sale-facts-store.ts';
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
  const claimed = await takeCustomers(tx, await claimIds(tx, judged));
  if (claimed === 'stale') {
    tx.rollBack();
    return { is: 'stale' };
  }
  const { rewarded, caps } = rewardSales(claimed, await lockCounts(tx, claimed.filter(asksForCounts)), isOwing);
  const written = rewarded.filter((sale): sale is WrittenSale => sale.saleId !== null);
  const decided = rewarded.filter((sale) => !(isDuplicate(sale) && sale.attempt.sale.hasGeneratedId));
  // Commissions and credits refer to sales, so the order matters.
  const [, , commissionIds, { credited, decisionIds }] = await Promise.all([
    updateCapCounts(tx, caps),
    insertSales(tx, written.map(saleRow)),
    insertCommissions(tx, written.flatMap(commissionsOf)),
    grantAndDecide(tx, written, decided),
    updateConversions(tx, firstSales(written)),
  ]);
  await reportFirstSales(tx, ctx, written);
  const outcomes = rewarded.map((sale) =>
    outcomeOf(sale, {
      commissionId: commissionIds.get(sale.saleId ?? 0) ?? null,
      decisionId: decisionIds[decided.indexOf(sale)] ?? 0,
      isCredited: sale.saleId !== null && credited.has(sale.saleId),
    }),
  );
  return { is: 'written', outcomes };
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

/**
 * Gives the customers of sales with a coupon to its partner, and adds those who are not known yet. Stale if another transaction
 * changed whose customers they are.
 */
async function takeCustomers(tx: Queryable, claimed: ClaimedSale[]): Promise<ClaimedSale[] | 'stale'> {
  const taking = claimed.filter(({ coupon, saleId }) => saleId !== null && coupon?.takesCustomer);
  if (taking.length === 0) return claimed;
  const isNew = ({ facts }: ClaimedSale) => facts.customer?.id === NEW_CUSTOMER_ID;
  const [newcomers, known] = [taking.filter(isNew), taking.filter((sale) => !isNew(sale))];
  const added = await insertAssignedCustomers(
    tx,
    newcomers.map(({ facts, now }) => ({ customer: facts.customer!, createdAt: now })),
  );
  if (added.length < newcomers.length) return 'stale';
  if (known.length > 0) {
    const locked = await lockHolders(
      tx,
      known.flatMap(({ facts }) => facts.holder ?? []),
    );
    if (locked < known.length) return 'stale';
    await updateAssigned(
      tx,
      known.flatMap(({ facts }) => facts.customer ?? []),
    );
  }
  return claimed.map((sale) => {
    const id = added[newcomers.indexOf(sale)];
    if (id === undefined || !sale.facts.customer) return sale;
    return { ...sale, facts: { ...sale.facts, customer: { ...sale.facts.customer, id } } };
  });
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
async function grantAndDecide(tx: Queryable, written: WrittenSale[], decided: RewardedSale[]) {
  const credited = await insertCredits(tx, written.flatMap(creditOf));
  const decisions = decided.map((sale) => saleDecision(sale, sale.saleId !== null && credited.has(sale.saleId)));
  return { credited, decisionIds: await insertDecisions(tx, decisions) };
}
