import type { Customer } from '../customers/customer.ts';
import { insertDecision } from '../decisions/decision-store.ts';
import type { Program } from '../programs/program.ts';
import type { EventDetails, ProcessedEvent } from './event-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { PaymentFact } from './processor-fact.ts';

/** A payment of zero is no sale. It leaves a decision, so that it can be explained like any other payment. */
export async function recordZeroPayment(
  ctx: PaymentsContext,
  program: Program,
  { transactionId, currency, evidence }: PaymentFact,
  event: EventDetails,
  customer: Customer | null,
): Promise<ProcessedEvent> {
  await insertDecision(ctx.db, {
    programId: program.id,
    kind: 'sale',
    outcome: 'unchanged',
    reason: 'nothing_paid',
    facts: { amount_cents: 0, currency },
    source: 'processor',
    customerId: customer?.id,
    partnerId: customer?.partnerId,
    transactionId,
    customerKey: evidence.customerKey,
    clickId: evidence.clickId,
    requestId: null,
    isTest: event.isTest,
    createdAt: ctx.now(),
  });
  return { outcome: 'zero_amount', transactionId, customerId: customer?.id };
}
