import { listUnfinishedEvents, requeueEvent, requeueFailedEvents } from '../payments/event-store.ts';
import { type OperatorCommand, OperatorError, wholeNumber } from './command.ts';

const LISTED = 100;

export const listProcessorEventsCommand: OperatorCommand = {
  name: 'list-processor-events',
  description: 'list events of payment processors that failed or wait',
  options: [],
  async run(ctx) {
    const events = await listUnfinishedEvents(ctx.db, LISTED);
    const lines = events.map(
      (event) =>
        `${event.id}  program ${event.programId}  ${event.eventId}  ${event.type}  ${event.state}` +
        `  ${event.outcome ?? 'not tried yet'}, ${event.attempts} attempts${event.error ? `: ${event.error}` : ''}`,
    );
    return { data: events, text: lines.length === 0 ? 'No event waits.' : lines.join('\n') };
  },
};

export const replayProcessorEventsCommand: OperatorCommand = {
  name: 'replay-processor-events',
  description: 'work events of payment processors off again: all that were given up, or one',
  options: [
    { flags: '--program <id>', description: 'program of the one event' },
    { flags: '--event <id>', description: 'number of the one event, as list-processor-events shows it' },
  ],
  async run(ctx, options) {
    if (options.event === undefined) {
      const count = await requeueFailedEvents(ctx.db, ctx.now());
      return { data: { events: count }, text: `${count} events are due again.` };
    }
    const event = wholeNumber(options.event, '--event');
    const isThere = await requeueEvent(ctx.db, wholeNumber(options.program, '--program'), event, ctx.now());
    if (!isThere) throw new OperatorError(`The program has no event ${event}, or its content is no longer kept`);
    return { data: { events: 1 }, text: `Event ${event} is due again.` };
  },
};
