import { applyIdentity, applyPayment } from '../apply-payment.ts';
import { applyPaymentLink, applyRefund } from '../apply-refund.ts';
import { isSandbox } from '../connections/connection-store.ts';
import { saveProcessorCode } from '../coupons/identify-coupon.ts';
import type { PaymentsContext } from '../payments-context.ts';
import { prefixReferences } from '../processors/prefix-references.ts';
import { processors } from '../processors/processors.ts';
import type { DueEvent, ProcessedEvent } from './event-store.ts';

/** Applies a stored event. Applying it again changes nothing, so an event interrupted by a crash is simply retried. */
export async function processEvent(ctx: PaymentsContext, due: DueEvent): Promise<ProcessedEvent> {
  const program = await ctx.lookup.program(due.programId);
  if (!program) return { outcome: 'program_gone' };
  const processor = processors[due.provider];
  const read = processor.readEvent(JSON.parse(ctx.encryption.open(due.payloadSealed)));
  const fact = prefixReferences(read, processor.referencePrefix);
  const details = {
    id: due.id,
    isTest: !due.isLive && !(await isSandbox(ctx.db, program.id, due.provider)),
    happenedAt: due.happenedAt,
    receivedAt: due.receivedAt,
    lastOutcome: due.outcome,
    waitsFor: due.waitsFor,
  };
  switch (fact.kind) {
    case 'payment':
      return applyPayment(ctx, program, fact, details);
    case 'identity':
      return applyIdentity(ctx, program, fact, details);
    case 'promotion_code':
      await saveProcessorCode(ctx, program, [fact.reference], fact.code, details);
      return { outcome: 'code_known' };
    case 'link':
      return applyPaymentLink(ctx, program, fact.invoice, fact.paidBy);
    case 'charge':
    case 'refund':
    case 'dispute':
      return applyRefund(ctx, program, fact, processor);
    case 'ignored':
      return { outcome: fact.outcome, hint: fact.hint };
  }
}
