import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { boundedText } from '../../values/fields.ts';
import { MAX_POSTBACK_CHARS } from '../../values/limits.ts';
import { POSTBACK_MACRO_NAMES, postbackProblem } from '../../values/postback-template.ts';
import { choice, MANAGE, managed, one } from '../route.ts';
import { DELIVERY_STATUSES, DISABLED_REASONS, WEBHOOK_STATUSES } from '../webhooks.ts';

const POSTBACK = `${MANAGE}/me/programs/:joined_program_id/postback`;
const id = z.int();
const time = z.iso.datetime();

export const POSTBACK_METHODS = ['GET', 'POST'] as const;
export type PostbackMethod = (typeof POSTBACK_METHODS)[number];

/** What partners are told about their commissions, in the words of the macro `{event}`. */
export const POSTBACK_EVENTS = ['created', 'approved', 'rejected', 'reversed', 'restored', 'paid'] as const;
export type PostbackEvent = (typeof POSTBACK_EVENTS)[number];

/** How many calls are listed and kept. */
export const KEPT_POSTBACK_CALLS = 50;

const url = boundedText('url', MAX_POSTBACK_CHARS)
  .trim()
  .min(1, { error: 'url is required' })
  .superRefine((template, context) => {
    const message = template === '' ? null : postbackProblem(template);
    if (message) context.addIssue({ code: 'custom', message });
  });

export const postbackRow = z.object({
  method: z.enum(POSTBACK_METHODS),
  url: z.string().describe('With its macros.'),
  status: z.enum(WEBHOOK_STATUSES),
  disabled_reason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .describe('`person`: by you. `gone`: the receiver answered 410. `failing`: nothing arrived for five days.'),
  failing_since: time.nullable().describe('The first failure since the last call that arrived.'),
  created_at: time,
});
z.globalRegistry.add(postbackRow, { id: 'Postback' });
export type PostbackRow = z.input<typeof postbackRow>;

export const postbackCallRow = z.object({
  id,
  event: z.enum([...POSTBACK_EVENTS, 'test']),
  method: z.enum(POSTBACK_METHODS).nullable(),
  url: z
    .string()
    .nullable()
    .describe('The URL that was called last, with its macros filled in; null before the first call.'),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.int(),
  last_status: z.int().nullable().describe('The HTTP status of the last answer.'),
  last_error: z.string().nullable().describe('Why the last call failed, in a sentence.'),
  next_attempt_at: time.nullable(),
  last_attempt_at: time.nullable(),
  created_at: time,
});
z.globalRegistry.add(postbackCallRow, { id: 'PostbackCall' });
export type PostbackCallRow = z.input<typeof postbackCallRow>;

export const managePostback = defineRoute({
  ...managed,
  id: 'managePostback',
  method: 'GET',
  path: POSTBACK,
  summary: 'Get your postback',
  description: 'Of a program that you are a partner of. Nobody else can see it, not even the brand.',
  reply: one(z.object({ postback: postbackRow.nullable() })),
  statuses: [401, 404],
});

export const manageSavePostback = defineRoute({
  ...managed,
  id: 'manageSavePostback',
  proof: 'recent',
  method: 'PUT',
  path: POSTBACK,
  summary: 'Set up your postback',
  description:
    'The URL is called when one of your commissions in the program is created, approved, rejected, reversed, restored or paid. ' +
    `It can contain ${POSTBACK_MACRO_NAMES.map((name) => `\`{${name}}\``).join(', ')}, in its path and its query. ` +
    'Reversals are only reported if it contains `{status}` or `{event}`: nothing else tells them from a sale. One for each program.',
  body: z.object({
    url,
    method: z
      .enum(POSTBACK_METHODS, { error: `method must be one of ${POSTBACK_METHODS.join(', ')}` })
      .default('GET')
      .describe('A POST has no body: values are in the URL.'),
    status: choice('status', WEBHOOK_STATUSES).describe('`active` by default.'),
  }),
  precheck: ({ url: sent }) => (sent ? null : { message: 'url is required', field: 'url' }),
  example: { url: 'https://tracker.example/postback?click={click_id}&payout={commission}&status={status}' },
  reply: one(postbackRow),
  statuses: [400, 401, 404],
});

export const manageDeletePostback = defineRoute({
  ...managed,
  id: 'manageDeletePostback',
  proof: { none: 'It only ends calls.' },
  method: 'DELETE',
  path: POSTBACK,
  summary: 'Delete your postback',
  description: 'With its list of calls. What was not sent yet is not sent. Safe to repeat.',
  reply: one(z.object({})),
  statuses: [401, 404],
});

export const managePostbackCalls = defineRoute({
  ...managed,
  id: 'managePostbackCalls',
  method: 'GET',
  path: `${POSTBACK}/calls`,
  summary: 'List the calls of your postback',
  description: `Newest first, the last ${KEPT_POSTBACK_CALLS}.`,
  reply: one(z.array(postbackCallRow)),
  statuses: [401, 404],
});

export const manageTestPostback = defineRoute({
  ...managed,
  id: 'manageTestPostback',
  proof: { none: 'It sends made-up values to an address that was entered with a proof.' },
  method: 'POST',
  path: `${POSTBACK}/test`,
  summary: 'Test your postback',
  description:
    'Calls the URL at once, with made-up values, also if it is disabled, and returns how it went. It is not tried again.',
  reply: one(postbackCallRow),
  statuses: [401, 404],
});
