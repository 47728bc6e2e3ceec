import type { Program } from '../programs/program.ts';
import { linksOf, upsertPaymentLinks } from './charge-store.ts';
import { type EventDetails, updateWaitsFor } from './events/event-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { PaymentFact, ProcessorFact } from './processor-fact.ts';
import { subscriptionPaymentOf } from './record-payment.ts';
import { type PaymentOfProgram, upsertFirstPayments } from './subscription-store.ts';

/** An event whose content was read. */
export type OpenedEvent = { program: Program; fact: ProcessorFact; details: EventDetails };

/**
 * Stores what events say by themselves, before anything is looked up for one of them: the ids that their results depend on, what
 * paid for what, and when subscriptions were first paid for. Storing it again changes nothing.
 */
export async function recordNotes(ctx: PaymentsContext, events: OpenedEvent[]): Promise<void> {
  const payments = events.flatMap(({ program, fact, details }) =>
    fact.kind === 'payment' ? [{ program, fact, details }] : [],
  );
  await upsertPaymentLinks(
    ctx.db,
    payments.flatMap(({ program, fact }) => linksOf(program.id, fact.transactionId, fact.paidBy)),
  );
  await updateWaitsFor(
    ctx.db,
    events.map(({ fact, details: { id, waitsFor } }) => ({ id, waitsFor, dependsOn: dependenciesOf(fact) })),
  );
  await upsertFirstPayments(
    ctx.db,
    payments.flatMap(({ program, fact, details }) => moneyOfSubscription(program, fact, details, ctx.now()) ?? []),
  );
}

/** The payment as one of its subscription, if money was paid in earnest; null otherwise. */
export function moneyOfSubscription(
  program: Program,
  fact: PaymentFact,
  event: EventDetails,
  now: Date,
): PaymentOfProgram | null {
  const payment = fact.amountCents > 0 && !event.isTest ? subscriptionPaymentOf(fact, event, now) : null;
  return payment && { ...payment, programId: program.id };
}

/**
 * The processor's ids that say who paid and with which coupon. The payment is judged again when more is known about one. The id of the
 * payment is one of them only if there is no other: whatever names that names the others too.
 */
function dependenciesOf(fact: ProcessorFact): string[] {
  if (fact.kind === 'identity') return fact.evidence.references;
  if (fact.kind !== 'payment') return [];
  const { evidence, couponCodes = [], discountIds = [], transactionId, subscriptionId } = fact;
  const shared = evidence.references.filter((reference) => reference !== transactionId);
  const payer = shared.length > 0 ? shared : [transactionId];
  return [...payer, ...couponCodes, ...discountIds, ...(subscriptionId === undefined ? [] : [subscriptionId])];
}
