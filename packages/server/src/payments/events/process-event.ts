import type { ProcessorName } from '@svc/contract';
import { applyIdentity, applyPayment } from '../apply-payment.ts';
import { applyPaymentLink, applyRefund } from '../apply-refund.ts';
import { isSandbox } from '../connections/connection-store.ts';
import { saveProcessorCode } from '../coupons/identify-coupon.ts';
import type { PaymentsContext } from '../payments-context.ts';
import { prefixReferences } from '../processors/prefix-references.ts';
import { processors } from '../processors/processors.ts';
import type { OpenedEvent } from '../record-notes.ts';
import type { DueEvent, ProcessedEvent } from './event-store.ts';

/** Reads the content of a stored event. Null if its program is gone. */
export async function openEvent(
  ctx: PaymentsContext,
  due: DueEvent,
  notBegun: ReadonlySet<number> = new Set(),
): Promise<OpenedEvent | null> {
  const program = await ctx.lookup.program(due.programId);
  if (!program) return null;
  const processor = processors[due.provider];
  const read = processor.readEvent(JSON.parse(ctx.encryption.open(due.payloadSealed)));
  const details = {
    id: due.id,
    isTest: !due.isLive && !(await isSandbox(ctx.db, program.id, due.provider)),
    happenedAt: due.happenedAt,
    receivedAt: due.receivedAt,
    notBegun,
    isRetry: due.attempts > 1 || due.outcome === 'failed',
    lastOutcome: due.outcome,
    waitsFor: due.waitsFor,
  };
  return { program, fact: prefixReferences(read, processor.referencePrefix), details };
}

/** Applies an event that was noted. Applying it again changes nothing, so an event interrupted by a crash is simply retried. */
export async function applyEvent(
  ctx: PaymentsContext,
  provider: ProcessorName,
  { program, fact, details }: OpenedEvent,
): Promise<ProcessedEvent> {
  switch (fact.kind) {
    case 'payment':
      return applyPayment(ctx, program, fact, details);
    case 'identity':
      return applyIdentity(ctx, program, fact, details);
    case 'promotion_code':
      await saveProcessorCode(ctx, program, [fact.reference], fact.code, details);
      return { outcome: 'code_known' };
    case 'link':
      return applyPaymentLink(ctx, program, fact, details);
    case 'charge':
    case 'refund':
    case 'dispute':
      return applyRefund(ctx, program, fact, processors[provider]);
    case 'ignored':
      return { outcome: fact.outcome, hint: fact.hint };
  }
}
