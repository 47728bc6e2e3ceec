import { insertCommissions } from '../commissions/commission-store.ts';
import type { Context } from '../context.ts';
import { insertCredits } from '../customers/credit-store.ts';
import { updateConversions } from '../customers/customer-store.ts';
import { isConcurrencyConflict, isRefusedStatement, type Queryable } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { insertDecisions } from '../decisions/decision-store.ts';
import type { Program } from '../programs/program.ts';
import type { Earned } from '../terms/earning.ts';
import { rewardsFor } from '../terms/reward.ts';
import { findTermsOfPayments } from '../terms/terms-store.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { applyCounts } from './apply-counts.ts';
import { AttributionChanged, bindCustomers } from './coupons/bind-customers.ts';
import { creditCoupon, NEW_CUSTOMER_ID, usedCouponOf } from './coupons/coupon-credit.ts';
import { findSaleCoupons } from './coupons/sale-coupon-store.ts';
import {
  type ClaimedSale,
  commissionsOf,
  creditOf,
  firstSales,
  isDuplicate,
  type JudgedSale,
  outcomeOf,
  saleRow,
  shouldWrite,
} from './prepare-sale.ts';
import { reportFirstSales } from './report-first-sales.ts';
import { judgeSale, type NewSale, rewardFacts, type SaleAttempt, type SaleOutcome } from './sale.ts';
import { saleDecision } from './sale-decision.ts';
import { findSaleFacts } from './sale-facts-store.ts';
import { claimKey, claimTransactions, findTransactionOwners, insertSales } from './sale-store.ts';

/** Records a sale once, even if its commission cannot be created. Sales are written in groups: see `recordSales` below. */
export function recordSale(ctx: TrackingContext, program: Program, sale: NewSale): Promise<SaleOutcome> {
  return ctx.sales.submit({ program, sale });
}

type WrittenSale = ClaimedSale & { saleId: number };

type SalesContext = Context & Pick<TrackingContext, 'emailSecret'>;

/** Records a group of sales: look up what is known, judge each, write them all in one transaction. */
export async function recordSales(ctx: SalesContext, attempts: SaleAttempt[]): Promise<SaleOutcome[]> {
  const judged = await judgeSales(ctx, attempts);
  const isLater = sharesCustomer(judged);
  const outcomes = await writeOrJudgeAgain(
    ctx,
    judged.filter((_sale, index) => !isLater[index]),
  );
  if (outcomes.length === attempts.length) return outcomes;
  const later = await recordSales(
    ctx,
    attempts.filter((_attempt, index) => isLater[index]),
  );
  return isLater.map((comesLater) => (comesLater ? later : outcomes).shift()!);
}

async function judgeSales(ctx: SalesContext, attempts: SaleAttempt[]): Promise<JudgedSale[]> {
  const now = ctx.now();
  const [allFacts, allCoupons, allTerms] = await Promise.all([
    findSaleFacts(ctx.db, attempts, ctx.emailSecret),
    findSaleCoupons(ctx.db, attempts),
    findTermsOfPayments(
      ctx.db,
      attempts.map(({ program, sale }) => ({ program, paidAt: sale.paidAt })),
      now,
    ),
  ]);
  return attempts.map(({ program, sale }, index): JudgedSale => {
    const [terms, paidAt] = [allTerms[index]!, sale.paidAt ?? now];
    const isTest = sale.isTest || allFacts[index]?.isFromTestLink === true;
    const attempt = { program, sale: { ...sale, isTest } };
    const at = { paidAt, now, emailSecret: ctx.emailSecret };
    const { facts: credited, coupon } = creditCoupon(attempt, allFacts[index]!, allCoupons[index]!, at);
    const facts = { ...credited, usedCoupon: usedCouponOf(coupon) };
    const asked = rewardFacts(attempt, facts, paidAt);
    const rewards = rewardsFor(terms, asked);
    const verdict = judgeSale(attempt, facts, rewards, paidAt);
    return { attempt, facts, coupon, terms, rewardFacts: asked, rewards, verdict, paidAt, now };
  });
}

/**
 * Of several sales of a group whose coupons take the same customer, the first is recorded at once. The others are judged when
 * it is known whose customer that is.
 */
function sharesCustomer(judged: JudgedSale[]): boolean[] {
  const taken = new Set<string>();
  return judged.map(({ attempt, facts, coupon }) => {
    const { id, customerKey } = facts.customer ?? { id: NEW_CUSTOMER_ID, customerKey: null };
    if (!coupon?.takesCustomer || (id === NEW_CUSTOMER_ID && customerKey === null)) return false;
    const key = id === NEW_CUSTOMER_ID ? `${attempt.program.id} ${customerKey}` : String(id);
    const isRepeated = taken.has(key);
    taken.add(key);
    return isRepeated;
  });
}

const MAX_JUDGED = 5;

/** Another node may have changed whose customer it is since the sales were judged. They are then judged again. */
async function writeOrJudgeAgain(ctx: SalesContext, judged: JudgedSale[], times = 1): Promise<SaleOutcome[]> {
  try {
    return await writeGroup(ctx, judged);
  } catch (error) {
    if (!(error instanceof AttributionChanged) || times === MAX_JUDGED) throw error;
    const again = await judgeSales(
      ctx,
      judged.map(({ attempt }) => attempt),
    );
    return writeOrJudgeAgain(ctx, again, times + 1);
  }
}

async function writeGroup(ctx: SalesContext, judged: JudgedSale[]): Promise<SaleOutcome[]> {
  try {
    return await writeSales(ctx, judged);
  } catch (error) {
    const [only, ...others] = judged;
    // In a group, another sale may have caused the error. The group commit then retries each sale on its own.
    const isCommissionFailure = others.length === 0 && isRefusedStatement(error) && !isConcurrencyConflict(error);
    if (!only || !isCommissionFailure || only.verdict.is !== 'recorded' || !only.verdict.earned) throw error;
    return [await recordWithoutCommission(ctx, only, only.verdict, error)];
  }
}

/** Writes the sale without the commission that failed, which it then owes. */
async function recordWithoutCommission(
  ctx: Context,
  sale: JudgedSale,
  { earned, holdReason }: JudgedSale['verdict'] & { is: 'recorded'; earned: Earned },
  error: unknown,
): Promise<SaleOutcome> {
  const verdict = { is: 'unpaid', reason: 'commission_failed', owesCommission: true, earned, holdReason } as const;
  const [outcome] = await writeSales(ctx, [{ ...sale, verdict }]);
  const { transactionId, requestId } = sale.attempt.sale;
  ctx.log.error({ err: error, transactionId, requestId }, 'A commission could not be created; the sale owes it');
  return outcome as SaleOutcome;
}

/** Two nodes that record sales of the same customers at once can deadlock; the one that loses retries. */
function writeSales(ctx: Context, judged: JudgedSale[]): Promise<SaleOutcome[]> {
  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const claimed = await applyCounts(tx, await bindCustomers(tx, await claimIds(tx, judged)));
      const written = claimed.flatMap((sale) => (sale.saleId === null ? [] : [{ ...sale, saleId: sale.saleId }]));
      const decided = claimed.filter((sale) => !(isDuplicate(sale) && sale.attempt.sale.hasGeneratedId));
      // Commissions and credits refer to sales, so the order matters.
      const [, commissionIds, { credited, decisionIds }] = await Promise.all([
        insertSales(
          tx,
          written.map((sale) => saleRow(sale, sale.saleId)),
        ),
        insertCommissions(
          tx,
          written.flatMap((sale) => commissionsOf(sale, sale.saleId)),
        ),
        grantAndDecide(tx, written, decided),
        updateConversions(tx, firstSales(written)),
      ]);
      await reportFirstSales(tx, ctx, written);
      return claimed.map((sale) =>
        outcomeOf(sale, {
          commissionId: commissionIds.get(sale.saleId ?? 0) ?? null,
          decisionId: decisionIds[decided.indexOf(sale)] ?? 0,
          isCredited: sale.saleId !== null && credited.has(sale.saleId),
        }),
      );
    }),
  );
}

/** Grants credits, then writes the decisions, which say who got one. */
async function grantAndDecide(tx: Queryable, written: WrittenSale[], decided: ClaimedSale[]) {
  const credits = written.flatMap((sale) => creditOf(sale, sale.saleId));
  const credited = credits.length === 0 ? new Set<number>() : await insertCredits(tx, credits);
  const decisions = decided.map((sale) => saleDecision(sale, sale.saleId !== null && credited.has(sale.saleId)));
  return { credited, decisionIds: await insertDecisions(tx, decisions) };
}

/** Claims the transaction ids. If several sales of the group share an id, the first one gets it. */
async function claimIds(tx: Queryable, judged: JudgedSale[]): Promise<ClaimedSale[]> {
  const first = new Map<string, JudgedSale>();
  for (const sale of judged.filter(shouldWrite)) {
    const key = claimKey(claimOf(sale));
    if (!first.has(key)) first.set(key, sale);
  }
  const saleIds = await claimTransactions(tx, [...first.values()].map(claimOf));
  const claimed = judged.map((sale) => {
    const key = claimKey(claimOf(sale));
    const saleId = first.get(key) === sale ? (saleIds.get(key) ?? null) : null;
    return { ...sale, saleId, isTakenElsewhere: false, recordedAs: null };
  });
  return markTakenElsewhere(tx, claimed);
}

/** Another program may have a sale under the same id. Its brand has to know, but not which program it is. */
async function markTakenElsewhere(tx: Queryable, claimed: ClaimedSale[]): Promise<ClaimedSale[]> {
  const duplicates = claimed.filter((sale) => isDuplicate(sale) && !sale.attempt.sale.isTest);
  if (duplicates.length === 0) return claimed;
  const owners = await findTransactionOwners(
    tx,
    duplicates.map(({ attempt }) => attempt.sale.transactionId),
  );
  return claimed.map((sale) => {
    const { program, sale: sent } = sale.attempt;
    const owner = owners.get(sent.transactionId);
    if (!owner || !duplicates.includes(sale)) return sale;
    const isTakenElsewhere = owner.programId !== program.id;
    return { ...sale, isTakenElsewhere, recordedAs: isTakenElsewhere ? null : owner.recordedAs };
  });
}

function claimOf({ attempt: { program, sale } }: JudgedSale) {
  return { transactionId: sale.transactionId, programId: program.id, isTest: sale.isTest };
}
