import { claimDueEvents, type DueEvent, type ProcessedEvent, updateProcessed } from './event-store.ts';
import type { EventOutcome } from './outcomes.ts';
import type { PaymentsContext } from './payments-context.ts';
import { processEvent } from './process-event.ts';

const BATCH = 50;
/** Waits after an event failed; past the last one it is given up until somebody replays it. */
const AFTER_FAILURE_SECONDS = [10, 30, 120, 600, 3_600, 3_600, 6 * 3_600, 12 * 3_600, 24 * 3_600];
/** Waits after an event that something yet to come may change: a signup, an earlier sale of the customer, the sale itself. */
const WAITS_SECONDS: Partial<Record<EventOutcome, number[]>> = {
  no_customer: [5, 30, 300, 3_600, 6 * 3_600, 24 * 3_600, 48 * 3_600],
  outside_window: [5, 300],
  no_sale_yet: [60, 3_600, 24 * 3_600],
};
/** How many events a node works on at once. */
const LANES = 8;

/** Works off the events that are due. Returns how many there were. */
export async function processDueEvents(ctx: PaymentsContext): Promise<number> {
  let count = 0;
  for (;;) {
    const events = await claimDueEvents(ctx.db, BATCH, ctx.now());
    await Promise.all(lanes(events).map((lane) => workInTurn(ctx, lane)));
    count += events.length;
    if (events.length < BATCH) return count;
  }
}

/** Shares events out; those that happened first are begun first. */
function lanes(events: DueEvent[]): DueEvent[][] {
  return Array.from({ length: LANES }, (_, lane) => events.filter((_event, index) => index % LANES === lane));
}

async function workInTurn(ctx: PaymentsContext, events: DueEvent[]): Promise<void> {
  for (const event of events) await workOne(ctx, event);
}

async function workOne(ctx: PaymentsContext, event: DueEvent): Promise<void> {
  const worked = await processEvent(ctx, event).catch((error: Error) => failure(ctx, event, error));
  await updateProcessed(ctx.db, event.id, retried(ctx, event, worked), ctx.now());
  ctx.onEventProcessed(worked.outcome);
}

function failure(ctx: PaymentsContext, event: DueEvent, error: Error): ProcessedEvent {
  ctx.log.error({ err: error, event: event.eventId, programId: event.programId }, 'An event of the processor failed');
  const wait = AFTER_FAILURE_SECONDS[event.attempts - 1];
  const failed = { outcome: 'failed' as const, error: error.message.slice(0, 500) };
  return wait === undefined ? { ...failed, hasFailed: true } : { ...failed, dueAt: inSeconds(ctx, wait) };
}

function retried(ctx: PaymentsContext, event: DueEvent, worked: ProcessedEvent): ProcessedEvent {
  const wait = WAITS_SECONDS[worked.outcome]?.[event.attempts - 1];
  return wait === undefined ? worked : { ...worked, dueAt: inSeconds(ctx, wait) };
}

function inSeconds(ctx: PaymentsContext, seconds: number): Date {
  return new Date(ctx.now().getTime() + seconds * 1000);
}
