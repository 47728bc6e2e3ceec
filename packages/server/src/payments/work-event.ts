import { isSandbox } from '../programs/processor-store.ts';
import type { DueEvent, Worked } from './inbox-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import { readStripeEvent, type StripeEvent } from './read-stripe-event.ts';
import { takeDeduction, takeLink } from './take-deduction.ts';
import { takeIdentity, takePayment } from './take-payment.ts';

/** Does what an event of the inbox calls for. Doing it again changes nothing, so a crash half-way is made up for. */
export async function workEvent(ctx: PaymentsContext, due: DueEvent): Promise<Worked> {
  const program = await ctx.directory.program(due.programId);
  if (!program) return { outcome: 'program_gone' };
  const event = JSON.parse(ctx.secretBox.open(due.payloadSealed)) as StripeEvent;
  const fact = readStripeEvent(event);
  const mark = {
    isTest: !due.isLive && !(await isSandbox(ctx.db, program.id)),
    happenedAt: new Date(event.created * 1000),
    receivedAt: due.receivedAt,
    lastOutcome: due.outcome,
  };
  switch (fact.kind) {
    case 'payment':
      return takePayment(ctx, program, fact, mark);
    case 'identity':
      return takeIdentity(ctx, program, fact, mark);
    case 'link':
      return takeLink(ctx, program, fact.invoice, fact.paidBy);
    case 'charge':
    case 'refund':
    case 'dispute':
      return takeDeduction(ctx, program, fact);
    case 'nothing':
      return { outcome: fact.outcome };
  }
}
