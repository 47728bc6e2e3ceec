import type { EventType } from '@svc/contract';
import { recordLinklessTestClick } from '../clicks/record-click.ts';
import { recordLead } from '../leads/record-lead.ts';
import type { Program } from '../programs/program.ts';
import { recordTestSale } from '../sales/record-test-sale.ts';
import type { TrackingContext } from '../tracking-context.ts';

const TEST_SALE_CENTS = 100;

/** Records a single test event, to check that the program's events arrive. Returns its id. */
export async function recordTestEvent(
  ctx: TrackingContext,
  program: Program,
  eventType: EventType,
  { requestId, nextTestId }: { requestId: string; nextTestId: () => string },
): Promise<number> {
  if (eventType === 'click') {
    const visit = { origin: undefined, existingClickId: undefined, page: {} };
    return (await recordLinklessTestClick(ctx, program, visit)).clickRowId;
  }
  const event = { isTest: true, requestId, clickId: undefined };
  if (eventType === 'lead') {
    const lead = { ...event, customerKey: nextTestId(), email: undefined };
    const outcome = await recordLead(ctx, { mode: 'server', program, isSynthetic: true }, lead);
    if (outcome.is === 'recorded') return outcome.decisionId;
    throw new Error(`A test lead was refused: ${outcome.reason}`);
  }
  const sale = {
    ...event,
    customerKey: undefined,
    amountCents: TEST_SALE_CENTS,
    currency: program.currency,
    saleType: 'payment',
    isRecurring: false,
    source: 'synthetic',
  } as const;
  const outcome = await recordTestSale(ctx, program, sale, nextTestId);
  if (outcome.is === 'recorded') return outcome.decisionId;
  throw new Error('A test sale was refused');
}
