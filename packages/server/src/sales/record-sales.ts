import type { Context } from '../context.ts';
import { DbError, isRefusedStatement } from '../db/db.ts';
import { findTermsOfPayments } from '../terms/terms-store.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { creditLastClicks } from './apply-last-clicks.ts';
import { creditCoupon, NEW_CUSTOMER_ID, usedCouponOf } from './coupon-credit.ts';
import { type JudgedSale, judgeSale, type SaleAttempt, type SaleOutcome } from './sale.ts';
import { findSaleCoupons, findSaleFacts } from './sale-facts-store.ts';
import { type CommissionFailed, writeSales } from './write-sales.ts';

type SalesContext = Context & Pick<TrackingContext, 'emailSecret'>;

/** How often in a row other transactions may be faster before the sales fail. */
const MAX_STALE = 5;

/**
 * Records a group of sales: look up what is known, judge, write in one transaction. Throws only if none of them was recorded. If
 * one fails after others were recorded, its error is its result.
 */
export async function recordSales(ctx: SalesContext, attempts: SaleAttempt[]): Promise<(SaleOutcome | Error)[]> {
  let stale = 0;
  let failed: CommissionFailed | null = null;
  for (;;) {
    const judged = await judgeSales(ctx, attempts);
    // Only one sale was written when its commission failed, and only that one owes it.
    const waits: boolean[] = failed ? judged.map((_sale, index) => index > 0) : waitForCustomers(judged);
    const ready = judged.filter((_sale, index) => !waits[index]);
    const result = await writeSales(ctx, ready, { isOwing: failed !== null });
    switch (result.is) {
      case 'written': {
        if (failed) logOwed(ctx, attempts[0]!, result.outcomes[0]!, failed);
        const waiting = attempts.filter((_attempt, index) => waits[index]);
        const [now, later] = [result.outcomes.values(), (await recordWaiting(ctx, waiting)).values()];
        return waits.map((isLater) => (isLater ? later : now).next().value!);
      }
      case 'stale':
        stale += 1;
        if (stale === MAX_STALE) throw new DbError('Other transactions kept changing what the sales rely on', '40001');
        break;
      case 'commission_failed':
        failed = result;
        break;
    }
  }
}

/** Whether nothing is against recording the sale, apart from its transaction id. */
export async function isRecordable(ctx: SalesContext, attempt: SaleAttempt): Promise<boolean> {
  const [judged] = await judgeSales(ctx, [attempt]);
  return judged?.refusal === null;
}

/** Records sales whose group is partly recorded already, and so must not be repeated: failures are results. */
async function recordWaiting(ctx: SalesContext, attempts: SaleAttempt[]): Promise<(SaleOutcome | Error)[]> {
  if (attempts.length === 0) return [];
  try {
    return await recordSales(ctx, attempts);
  } catch (error) {
    if (attempts.length === 1 || !isRefusedStatement(error)) return attempts.map(() => error as Error);
    // One bad sale must not fail the others.
    const results: (SaleOutcome | Error)[] = [];
    for (const attempt of attempts) results.push(...(await recordWaiting(ctx, [attempt])));
    return results;
  }
}

async function judgeSales(ctx: SalesContext, attempts: SaleAttempt[]): Promise<JudgedSale[]> {
  const now = ctx.now();
  const [found, coupons, terms] = await Promise.all([
    findSaleFacts(ctx.db, attempts, ctx.emailSecret),
    findSaleCoupons(ctx.db, attempts),
    findTermsOfPayments(
      ctx.db,
      attempts.map(({ program, sale }) => ({ program, paidAt: sale.paidAt })),
      now,
    ),
  ]);
  const facts = await creditLastClicks(ctx, attempts, found, terms);
  return attempts.map(({ program, sale }, index): JudgedSale => {
    const paidAt = sale.paidAt ?? now;
    const attempt = { program, sale: { ...sale, isTest: sale.isTest || facts[index]?.isFromTestLink === true } };
    const at = { paidAt, emailSecret: ctx.emailSecret };
    const { facts: credited, coupon } = creditCoupon(attempt, facts[index]!, coupons[index]!, at);
    const judgedFacts = { ...credited, usedCoupon: usedCouponOf(coupon) };
    const refusal = judgeSale(attempt, judgedFacts, paidAt);
    return { attempt, facts: judgedFacts, coupon, terms: terms[index]!, refusal, paidAt, now };
  });
}

/**
 * Of several sales of a group that decide whose the same customer is, by a coupon or by the last click, the first is written at
 * once. The others are judged when it is known whose customer that is.
 */
function waitForCustomers(judged: JudgedSale[]): boolean[] {
  const taken = new Set<string>();
  return judged.map(({ attempt, facts, coupon }) => {
    const { id, customerKey } = facts.customer ?? { id: NEW_CUSTOMER_ID, customerKey: null };
    const isDeciding = coupon?.takesCustomer || facts.lastClick !== undefined;
    if (!isDeciding || (id === NEW_CUSTOMER_ID && customerKey === null)) return false;
    const key = id === NEW_CUSTOMER_ID ? `${attempt.program.id} ${customerKey}` : String(id);
    const isRepeated = taken.has(key);
    taken.add(key);
    return isRepeated;
  });
}

function logOwed(ctx: Context, { sale }: SaleAttempt, outcome: SaleOutcome, { error }: CommissionFailed): void {
  if (outcome.is !== 'refused' || outcome.reason !== 'commission_failed') return;
  const { transactionId, requestId } = sale;
  ctx.log.error({ err: error, transactionId, requestId }, 'A commission could not be created; the sale owes it');
}
