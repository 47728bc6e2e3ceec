import { queueMailToAll } from '../../mail/queue-mail.ts';
import { listOwnerIds } from '../../mail/recipient-store.ts';
import { findProgram } from '../../programs/program-store.ts';
import type { PaymentsContext } from '../payments-context.ts';
import { processors } from '../processors/processors.ts';
import { type OpenedEvent, recordNotes } from '../record-notes.ts';
import { claimDueEvents, type DueEvent, type ProcessedEvent, releaseEvents, updateProcessed } from './event-store.ts';
import { upsertSeenTypes } from './event-type-store.ts';
import type { EventOutcome } from './outcomes.ts';
import { applyEvent, openEvent } from './process-event.ts';

const BATCH = 50;
/** Delays before a failed event is retried. After the last one it stays failed until it is replayed. */
const FAILURE_RETRY_SECONDS = [10, 30, 120, 600, 3_600, 3_600, 6 * 3_600, 12 * 3_600, 24 * 3_600];
/** Delays before retrying an event that a later signup, an earlier sale or the sale itself may still resolve. */
const UNRESOLVED_RETRY_SECONDS: Partial<Record<EventOutcome, number[]>> = {
  no_customer: [5, 30, 300, 3_600, 6 * 3_600, 24 * 3_600, 48 * 3_600],
  outside_window: [5, 300],
  no_sale_yet: [60, 3_600, 24 * 3_600],
  no_invoice_link: [60, 3_600, 24 * 3_600],
};
/** How many events a node processes concurrently. */
const LANES = 8;

/**
 * Processes due events until none is left, or until `isStopping`, and returns how many it processed. Events that it has
 * claimed and not begun by then are due again at once, for other nodes or the next start.
 */
export async function processDueEvents(ctx: PaymentsContext, isStopping = () => false): Promise<number> {
  let count = 0;
  for (;;) {
    const claimedAt = ctx.now();
    const events = await claimDueEvents(ctx.db, BATCH, claimedAt);
    await upsertSeenTypes(ctx.db, events);
    const opened = await openAndNote(ctx, events);
    const left = await Promise.all(lanes(opened).map((lane) => processInOrder(ctx, lane, isStopping)));
    const leftIds = left.flat().map(({ event }) => event.id);
    if (leftIds.length > 0) await releaseEvents(ctx.db, leftIds, claimedAt);
    count += events.length - leftIds.length;
    if (events.length === 0 || isStopping()) return count;
  }
}

type ClaimedEvent = { event: DueEvent; apply: () => Promise<ProcessedEvent> };

/**
 * Opens a batch of events and notes what they say with a few statements for all of them. If that fails, each is noted with its own, so
 * that one event does not fail the others.
 */
async function openAndNote(ctx: PaymentsContext, events: DueEvent[]): Promise<ClaimedEvent[]> {
  const notBegun = new Set(events.map(({ id }) => id));
  const opened = await Promise.all(
    events.map((event) => openEvent(ctx, event, notBegun).catch((error: Error) => error)),
  );
  const readable = opened.filter((one): one is OpenedEvent => one !== null && !(one instanceof Error));
  const isNoted = await recordNotes(ctx, readable).then(
    () => true,
    () => false,
  );
  const applyOpened = async (event: DueEvent, one: OpenedEvent | Error | null): Promise<ProcessedEvent> => {
    notBegun.delete(event.id);
    if (one instanceof Error) throw one;
    if (one === null) return { outcome: 'program_gone' };
    if (!isNoted) await recordNotes(ctx, [one]);
    return applyEvent(ctx, event.provider, one);
  };
  return events.map((event, index) => ({ event, apply: () => applyOpened(event, opened[index] ?? null) }));
}

/**
 * Distributes events over the lanes so that the oldest ones start first. Those of a purchase that are judged again share a lane:
 * between taking back the first payment and recording it again, the customer has bought nothing, and a later one would be judged by that.
 */
function lanes(events: ClaimedEvent[]): ClaimedEvent[][] {
  const laneOf = new Map<string, number>();
  const all: ClaimedEvent[][] = Array.from({ length: LANES }, () => []);
  for (const [index, claimed] of events.entries()) {
    const { outcome, programId, waitsFor } = claimed.event;
    const names = outcome === null ? [] : (waitsFor ?? []).map((reference) => `${programId} ${reference}`);
    const shared = names.find((name) => laneOf.has(name));
    const lane = shared === undefined ? index % LANES : laneOf.get(shared)!;
    for (const name of names) laneOf.set(name, lane);
    all[lane]!.push(claimed);
  }
  return all;
}

/** Returns the events that were left because the service stops. */
async function processInOrder(
  ctx: PaymentsContext,
  events: ClaimedEvent[],
  isStopping: () => boolean,
): Promise<ClaimedEvent[]> {
  for (const [index, event] of events.entries()) {
    if (isStopping()) return events.slice(index);
    await processOne(ctx, event);
  }
  return [];
}

async function processOne(ctx: PaymentsContext, { event, apply }: ClaimedEvent): Promise<void> {
  const processed = await apply().catch((error: Error) => toFailure(ctx, event, error));
  const updated = withRetry(ctx, event, processed);
  if (updated.hasFailed) await giveUp(ctx, event, updated);
  else await updateProcessed(ctx.db, event, updated, ctx.now());
  ctx.onEventProcessed(processed.outcome);
}

/** Marks an event as failed for good, and tells the owners, at most once a day for each program. */
function giveUp(ctx: PaymentsContext, event: DueEvent, failed: ProcessedEvent): Promise<void> {
  const { programId, provider, type } = event;
  return ctx.db.transaction(async (tx) => {
    await updateProcessed(tx, event, failed, ctx.now());
    const program = ctx.mail && (await findProgram(tx, programId));
    if (!program) return;
    const cause = `${programId} ${ctx.now().toISOString().slice(0, 10)}`;
    const fields = { processor: processors[provider].title, eventType: type };
    const owners = await listOwnerIds(tx, program.workspaceId);
    await queueMailToAll(tx, ctx, owners, { kind: 'processor_trouble', cause, programId, fields });
  });
}

function toFailure(ctx: PaymentsContext, event: DueEvent, error: Error): ProcessedEvent {
  ctx.log.error({ err: error, event: event.eventId, programId: event.programId }, 'Processing a payment event failed');
  const delay = FAILURE_RETRY_SECONDS[event.attempts - 1];
  const failed = { outcome: 'failed' as const, error: error.message.slice(0, 500) };
  return delay === undefined ? { ...failed, hasFailed: true } : { ...failed, dueAt: inSeconds(ctx, delay) };
}

function withRetry(ctx: PaymentsContext, event: DueEvent, processed: ProcessedEvent): ProcessedEvent {
  const delay = UNRESOLVED_RETRY_SECONDS[processed.outcome]?.[event.attempts - 1];
  return delay === undefined ? processed : { ...processed, dueAt: inSeconds(ctx, delay) };
}

function inSeconds(ctx: PaymentsContext, seconds: number): Date {
  return new Date(ctx.now().getTime() + seconds * 1000);
}
