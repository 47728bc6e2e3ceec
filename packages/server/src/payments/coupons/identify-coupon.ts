import { MAX_COUPON_CHARS } from '@svc/contract';
import { findKnownCode } from '../../coupons/coupon-store.ts';
import type { Program } from '../../programs/program.ts';
import { type EventDetails, requeueWaitingFor } from '../events/event-store.ts';
import type { PaymentsContext } from '../payments-context.ts';
import type { IdentityFact, PaymentFact } from '../processor-fact.ts';
import { listCodesOf, upsertProcessorCodes } from './processor-code-store.ts';

/** The code that a payment was made with, and whether it is one of the program's coupons. */
export type PaymentCoupon = { code: string; isKnown: boolean };

/** Finds the code of a payment: by what its event says, or by what the checkout of its subscription said. */
export function identifyCoupon(
  ctx: PaymentsContext,
  program: Program,
  { couponCodes = [], discountIds = [], transactionId, subscriptionId }: PaymentFact,
): Promise<PaymentCoupon | null> {
  const named = [...couponCodes, ...discountIds];
  return chooseCode(ctx, program, named, subscriptionId === undefined ? [] : [subscriptionId, transactionId]);
}

/** Finds the code of a checkout, and stores it for the payments that follow. */
export async function saveCheckoutCode(
  ctx: PaymentsContext,
  program: Program,
  { couponCodes = [], codeReferences = [] }: IdentityFact,
  event: EventDetails,
): Promise<PaymentCoupon | null> {
  if (codeReferences.length === 0) return null;
  const coupon = await chooseCode(ctx, program, couponCodes, []);
  if (coupon) await saveProcessorCode(ctx, program, codeReferences, coupon.code, event);
  return coupon;
}

/** Stores which of the processor's ids means a coupon code, and judges payments made with it again. */
export async function saveProcessorCode(
  ctx: PaymentsContext,
  program: Program,
  references: string[],
  code: string,
  event: EventDetails,
): Promise<void> {
  const learnt = await upsertProcessorCodes(ctx.db, program.id, references, code, event.happenedAt);
  if (learnt.length > 0) await requeueWaitingFor(ctx.db, program.id, learnt, event, ctx.now());
}

/** The first code that is a coupon of the program, otherwise the first of all. The references only stand for codes. */
async function chooseCode(
  ctx: PaymentsContext,
  program: Program,
  named: string[],
  references: string[],
): Promise<PaymentCoupon | null> {
  if (named.length + references.length === 0) return null;
  const found = await listCodesOf(ctx.db, program.id, [...named, ...references]);
  const codes = found.filter((code) => code.length <= MAX_COUPON_CHARS && !references.includes(code));
  const known = await findKnownCode(ctx.db, program.id, codes);
  const code = known ?? codes[0];
  return code === undefined ? null : { code, isKnown: known !== null };
}
