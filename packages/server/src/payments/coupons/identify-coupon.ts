import { MAX_COUPON_CHARS } from '@svc/contract';
import { findKnownCode } from '../../coupons/coupon-store.ts';
import type { Program } from '../../programs/program.ts';
import { listPaymentLinks } from '../charge-store.ts';
import { type EventDetails, requeueWaitingFor } from '../events/event-store.ts';
import type { PaymentsContext } from '../payments-context.ts';
import type { IdentityFact, PaymentFact } from '../processor-fact.ts';
import { copyProcessorCode, listCodesOf, upsertProcessorCodes } from './processor-code-store.ts';

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
  const changed = await upsertProcessorCodes(ctx.db, program.id, references, code, event.happenedAt);
  // An earlier attempt may have stored it and got no further.
  const learnt = event.isRetry ? references : changed;
  if (learnt.length > 0) await requeueWaitingFor(ctx.db, program.id, learnt, event, ctx.now());
}

/**
 * Stores the code of a payment that may turn out to be that of an invoice. Called before the payment is recorded: an event that links them
 * later finds the code.
 */
export async function saveCodeOfPayment(
  ctx: PaymentsContext,
  program: Program,
  { isPerhapsInvoiced, transactionId }: PaymentFact,
  coupon: PaymentCoupon | null,
  event: EventDetails,
): Promise<void> {
  if (isPerhapsInvoiced && coupon) await saveProcessorCode(ctx, program, [transactionId], coupon.code, event);
}

/** Lets the code of a payment count for the invoices that it is known to have paid, and judges these again. */
export async function shareCodeOfPayment(
  ctx: PaymentsContext,
  program: Program,
  { isPerhapsInvoiced, transactionId }: PaymentFact,
  event: EventDetails,
): Promise<void> {
  if (!isPerhapsInvoiced) return;
  const links = await listPaymentLinks(ctx.db, program.id, [transactionId]);
  const invoices = links
    .filter((link) => link.reference === transactionId && link.transactionId !== transactionId)
    .map((link) => link.transactionId);
  await shareCode(ctx, program, transactionId, invoices, event);
}

/** Lets the code of a payment stand for invoices, and judges payments made with it again. */
export async function shareCode(
  ctx: PaymentsContext,
  program: Program,
  payment: string,
  invoices: string[],
  event: EventDetails,
): Promise<void> {
  if (invoices.length === 0) return;
  const changed = await copyProcessorCode(ctx.db, program.id, payment, invoices);
  // An earlier attempt may have stored it and got no further.
  const learnt = event.isRetry ? invoices : changed;
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
