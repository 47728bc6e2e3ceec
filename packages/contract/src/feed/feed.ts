import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';
import { FEED_EVENT_TYPES, type FeedEventType } from './feed-events.ts';

export const MAX_FEED_PAGE = 200;
export const MAX_FEED_WAIT_SECONDS = 30;

const LIMIT = `limit must be a whole number from 1 to ${MAX_FEED_PAGE}`;
const WAIT = `wait must be a whole number of seconds from 0 to ${MAX_FEED_WAIT_SECONDS}`;
const LAST = `last must be a whole number from 0 to ${MAX_FEED_PAGE}`;
const CURSOR = 'Invalid cursor';

/** Types of events, separated by commas. An unknown one is named. */
export const feedTypes = z
  .string()
  .max(2_000, { error: 'types is too long' })
  .transform((text) => text.split(',').map((type) => type.trim()))
  .superRefine((types, context) => {
    const unknown = types.find((type) => !(FEED_EVENT_TYPES as string[]).includes(type));
    if (unknown !== undefined) context.addIssue({ code: 'custom', message: `Unknown event type: ${unknown}` });
  })
  .transform((types) => types as FeedEventType[]);

/** An event as lists show it, whatever its type. */
export const feedEvent = z.object({
  id: z.string(),
  type: z.enum(FEED_EVENT_TYPES),
  timestamp: z.iso.datetime(),
  program_id: z.int(),
  sequence: z.int().describe('Counts 1, 2, 3, … within the program: if one is missing, you have missed it.'),
  data: z
    .record(z.string(), z.unknown())
    .describe(
      'The row that it is about, under its name, such as `sale` or `commission`; `previous` with the fields that changed; ' +
        '`decision` with the reason, where there is one.',
    ),
});
z.globalRegistry.add(feedEvent, { id: 'Event' });

/** Where to start, and what to return. */
export const feedQuery = {
  after: z.coerce
    .number({ error: CURSOR })
    .int({ error: CURSOR })
    .min(0, { error: CURSOR })
    .optional()
    .describe('A sequence: the events after it. Without it, from the oldest event that is kept.'),
  last: z.coerce
    .number({ error: LAST })
    .int({ error: LAST })
    .min(0, { error: LAST })
    .max(MAX_FEED_PAGE, { error: LAST })
    .optional()
    .describe(
      'Instead of `after`: how many of the newest events to start with. 0 starts with what happens from now on.',
    ),
  types: feedTypes.optional().describe('Only events of these types, separated by commas.'),
  limit: z.coerce
    .number({ error: LIMIT })
    .int({ error: LIMIT })
    .min(1, { error: LIMIT })
    .max(MAX_FEED_PAGE, { error: LIMIT })
    .default(100),
};

/** An empty cursor is not the beginning of the feed, as which it would be read. */
export const requireCursor = ({ after }: Record<string, unknown>) =>
  typeof after === 'string' && after.trim() === '' ? { message: CURSOR, field: 'after' } : null;

export const feedPage = z.object({
  data: z.array(feedEvent),
  meta: z.object({
    next_cursor: z
      .int()
      .describe('The sequence to send as `after` next time. It moves past events that `types` left out.'),
    has_more: z.boolean(),
  }),
});

export const listEvents = defineRoute({
  id: 'listEvents',
  method: 'GET',
  path: '/api/v1/events',
  summary: 'Read the feed of events',
  description:
    'Oldest first. Store `next_cursor` and send it as `after`, and you see every event once. With `wait`, an empty page is ' +
    'answered only when an event arrives or the seconds have passed. Test keys are refused.',
  auth: 'program-key',
  bucket: 'feed',
  precheck: requireCursor,
  query: z.object({
    ...feedQuery,
    wait: z.coerce
      .number({ error: WAIT })
      .int({ error: WAIT })
      .min(0, { error: WAIT })
      .max(MAX_FEED_WAIT_SECONDS, { error: WAIT })
      .default(0)
      .describe('How many seconds to wait for an event if there is none yet.'),
  }),
  reply: feedPage,
  fail: () => errors.internal('The request failed. Try again.'),
  statuses: [400, 401, 403, 410],
});
