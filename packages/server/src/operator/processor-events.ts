import { OPERATOR } from '../audit/audit-store.ts';
import { listUnfinishedEvents } from '../payments/events/event-store.ts';
import { replayEvent, replayFailedEvents } from '../payments/events/receive-event.ts';
import { findProgram } from '../programs/program-store.ts';
import { OperatorError, type RunCommand, wholeNumber } from './command.ts';
import { printable } from './printable.ts';

const MAX_LISTED = 100;

export const listProcessorEvents: RunCommand = async (ctx) => {
  const events = await listUnfinishedEvents(ctx.db, MAX_LISTED);
  const lines = events.map(
    (event) =>
      `${event.id}  program ${event.programId}  ${printable(event.eventId)}  ${printable(event.type)}  ${event.state}` +
      `  ${event.outcome ?? 'not tried yet'}, ${event.attempts} attempts${event.error ? `: ${printable(event.error)}` : ''}`,
  );
  return { data: events, text: lines.length === 0 ? 'No events are waiting.' : lines.join('\n') };
};

export const replayProcessorEvents: RunCommand = async (ctx, options) => {
  if (options.event === undefined) {
    const count = await replayFailedEvents(ctx, OPERATOR);
    return { data: { events: count }, text: `Events queued again: ${count}.` };
  }
  const event = wholeNumber(options.event, '--event');
  const program = await findProgram(ctx.db, wholeNumber(options.program, '--program'));
  const isFound = program && (await replayEvent(ctx, program, event, OPERATOR));
  if (!isFound) throw new OperatorError(`The program has no event ${event}, or its content has been purged`);
  return { data: { events: 1 }, text: `Event ${event} is queued again.` };
};
