import { z } from 'zod';
import { FEED_EVENT_TYPES, type FeedEventType } from '../feed/feed-events.ts';
import { defineRoute } from '../routing/route.ts';
import { boundedText } from '../values/fields.ts';
import { MAX_URL_CHARS } from '../values/limits.ts';
import { boundary, choice, idFilter, listQuery, managed, many, one, PROGRAM, requiredTogether } from './route.ts';

const WEBHOOKS = `${PROGRAM}/webhooks`;
const WEBHOOK = `${WEBHOOKS}/:webhook_id`;
const id = z.int();
const time = z.iso.datetime();

export const MAX_WEBHOOKS = 20;
export const WEBHOOK_FORMATS = ['json', 'slack', 'discord'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];
export const WEBHOOK_STATUSES = ['active', 'disabled'] as const;
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
/** Why an endpoint is disabled. */
export const DISABLED_REASONS = ['person', 'gone', 'failing'] as const;

/** Stands for every type of event, also those of later releases. */
export const EVERY_TYPE = '*';
export type WebhookTypes = (FeedEventType | typeof EVERY_TYPE)[];

const TYPES = 'types must be a list of event types, or ["*"] for all';
const types = z
  .array(z.string({ error: TYPES }), { error: TYPES })
  .min(1, { error: TYPES })
  .max(FEED_EVENT_TYPES.length, { error: TYPES })
  .superRefine((names, context) => {
    const known: string[] = [...FEED_EVENT_TYPES, EVERY_TYPE];
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined) context.addIssue({ code: 'custom', message: `Unknown event type: ${unknown}` });
  })
  .transform((names) => (names.includes(EVERY_TYPE) ? [EVERY_TYPE] : [...new Set(names)]) as WebhookTypes);

const url = boundedText('url', MAX_URL_CHARS).trim().min(1, { error: 'url is required' });
const description = boundedText('description', 200)
  .trim()
  .nullable()
  .transform((text) => text || null);

export const webhookRow = z.object({
  id,
  url: z.string(),
  types: z.array(z.string()).describe('`*` stands for all types.'),
  description: z.string().nullable(),
  format: z.enum(WEBHOOK_FORMATS),
  status: z.enum(WEBHOOK_STATUSES),
  disabled_reason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .describe('`person`: by hand. `gone`: it answered 410. `failing`: nothing arrived for five days.'),
  failing_since: time.nullable().describe('The first failure since the last delivery that arrived.'),
  last_delivery_at: time.nullable().describe('When the newest delivery was created, tests included.'),
  last_delivery_status: z.enum(DELIVERY_STATUSES).nullable(),
  created_at: time,
});
z.globalRegistry.add(webhookRow, { id: 'Webhook' });
export type WebhookRow = z.input<typeof webhookRow>;

const withSecret = webhookRow.extend({
  secret: z.string().describe('Verify deliveries with it. It is shown only now.'),
});

export const manageWebhooks = defineRoute({
  ...managed,
  id: 'manageWebhooks',
  method: 'GET',
  path: WEBHOOKS,
  summary: 'List webhook endpoints',
  description: 'In the order in which they were added.',
  role: 'viewer',
  reply: one(z.array(webhookRow)),
  statuses: [401, 404],
});

export const manageAddWebhook = defineRoute({
  ...managed,
  id: 'manageAddWebhook',
  proof: 'recent',
  method: 'POST',
  path: WEBHOOKS,
  summary: 'Add a webhook endpoint',
  description:
    `Events of these types are sent to the URL from now on, signed as Standard Webhooks. At most ${MAX_WEBHOOKS} per program. ` +
    'The formats `slack` and `discord` send one sentence for a channel instead of the event.',
  role: 'owner',
  success: 201,
  precheck: requiredTogether('url and types are required', 'url', 'types'),
  body: z.object({
    url,
    types,
    description: description.optional(),
    format: z.enum(WEBHOOK_FORMATS, { error: `format must be one of ${WEBHOOK_FORMATS.join(', ')}` }).default('json'),
  }),
  example: { url: 'https://acme.example/hooks/svc', types: ['sale.created', 'commission.paid'] },
  reply: one(withSecret),
  statuses: [400, 401, 404, 409],
});

export const manageWebhook = defineRoute({
  ...managed,
  id: 'manageWebhook',
  method: 'GET',
  path: WEBHOOK,
  summary: 'Get a webhook endpoint',
  description: 'Without its secret.',
  role: 'viewer',
  reply: one(webhookRow),
  statuses: [401, 404],
});

export const manageMissedEvents = defineRoute({
  ...managed,
  id: 'manageMissedEvents',
  method: 'GET',
  path: `${WEBHOOK}/missed`,
  summary: 'Count what a disabled endpoint has missed',
  description: 'What enabling it would send, with `send_missed` and without. Both are 0 while it is active.',
  role: 'viewer',
  reply: one(
    z.object({
      events: z.int().describe('Events since it was disabled, of its types. They are sent with `send_missed`.'),
      pending: z.int().describe('Deliveries that were waiting when it was disabled. They are sent in any case.'),
    }),
  ),
  statuses: [401, 404],
});

export const manageChangeWebhook = defineRoute({
  ...managed,
  id: 'manageChangeWebhook',
  proof: 'recent',
  method: 'PATCH',
  path: WEBHOOK,
  ifMatch: true,
  summary: 'Change a webhook endpoint',
  description:
    'Nothing is sent to a disabled endpoint. With `send_missed`, what happened since it was disabled is sent once it is enabled.',
  role: 'owner',
  keepsNull: ['description'],
  body: z.object({
    url: url.optional(),
    types: types.optional(),
    description: description.optional(),
    status: choice('status', WEBHOOK_STATUSES),
    send_missed: z.boolean({ error: 'send_missed must be true or false' }).optional(),
  }),
  reply: one(webhookRow),
  statuses: [400, 401, 404],
});

export const manageDeleteWebhook = defineRoute({
  ...managed,
  id: 'manageDeleteWebhook',
  proof: 'recent',
  method: 'DELETE',
  path: WEBHOOK,
  ifMatch: true,
  summary: 'Delete a webhook endpoint',
  description: 'With its deliveries. What was not sent yet is not sent. Safe to repeat.',
  role: 'owner',
  reply: one(z.object({})),
  statuses: [401, 404],
});

export const manageRotateWebhookSecret = defineRoute({
  ...managed,
  id: 'manageRotateWebhookSecret',
  proof: 'recent',
  method: 'POST',
  path: `${WEBHOOK}/rotate-secret`,
  summary: 'Rotate the secret of a webhook endpoint',
  description: 'For 24 hours, deliveries are signed with both secrets.',
  role: 'owner',
  reply: one(z.object({ secret: z.string() })),
  statuses: [401, 404],
});

export const deliveryRow = z.object({
  id,
  event_id: z.string(),
  sequence: z.int().nullable().describe('Null for a test.'),
  type: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.int(),
  last_status: z.int().nullable().describe('The HTTP status of the last answer.'),
  last_error: z.string().nullable().describe('Why the last attempt failed, in a sentence.'),
  response_headers: z.record(z.string(), z.string()).nullable(),
  response_body: z.string().nullable().describe('The first 4 KiB of the last answer.'),
  next_attempt_at: time.nullable(),
  created_at: time,
});
z.globalRegistry.add(deliveryRow, { id: 'Delivery' });
export type DeliveryRow = z.input<typeof deliveryRow>;

export const manageTestWebhook = defineRoute({
  ...managed,
  id: 'manageTestWebhook',
  proof: { none: 'It sends a made-up event to an address that was entered with a proof.' },
  method: 'POST',
  path: `${WEBHOOK}/test`,
  summary: 'Send a test event',
  description:
    'Sends `webhook.test` at once, also to a disabled endpoint, and returns how it went. It is not tried again.',
  role: 'owner',
  reply: one(deliveryRow),
  statuses: [401, 404],
});

export const manageDeliveries = defineRoute({
  ...managed,
  id: 'manageDeliveries',
  method: 'GET',
  path: `${WEBHOOK}/deliveries`,
  summary: 'List deliveries',
  description: 'Newest first.',
  role: 'viewer',
  query: z.object({ ...listQuery, status: choice('status', DELIVERY_STATUSES), sequence: idFilter('sequence') }),
  reply: many(deliveryRow),
  statuses: [400, 401, 404],
});

const request = z.object({
  headers: z
    .record(z.string(), z.string())
    .describe('Without `webhook-timestamp` and `webhook-signature`, which are new at every attempt.'),
  body: z.string().describe('Byte for byte, the same at every attempt.'),
});

export const manageDelivery = defineRoute({
  ...managed,
  id: 'manageDelivery',
  method: 'GET',
  path: `${WEBHOOK}/deliveries/:delivery_id`,
  summary: 'Get a delivery with its request',
  description: 'What is sent, and what the endpoint answered last.',
  role: 'viewer',
  reply: one(deliveryRow.extend({ request: request.nullable().describe('Null once the event is no longer kept.') })),
  statuses: [401, 404],
});

export const manageResendDelivery = defineRoute({
  ...managed,
  id: 'manageResendDelivery',
  proof: { none: 'The endpoint gets what it was to get anyway, under the same id.' },
  method: 'POST',
  path: `${PROGRAM}/deliveries/:delivery_id/resend`,
  summary: 'Send an event again',
  description: 'Under the same event id, with the same bytes.',
  role: 'owner',
  reply: one(deliveryRow),
  statuses: [401, 404],
});

export const manageReplayWebhook = defineRoute({
  ...managed,
  id: 'manageReplayWebhook',
  proof: { none: 'The endpoint gets what it was to get anyway, under the same ids.' },
  method: 'POST',
  path: `${WEBHOOK}/replay`,
  summary: 'Send the events of a period again',
  description:
    'From `from`, inclusive, to `to`, exclusive, oldest first, under the same event ids. With `dry_run`, nothing is sent and ' +
    'the events are only counted.',
  role: 'owner',
  precheck: requiredTogether('from and to are required', 'from', 'to'),
  body: z.object({
    from: boundary('from'),
    to: boundary('to'),
    types: types.optional(),
    dry_run: z.boolean({ error: 'dry_run must be true or false' }).default(false),
  }),
  reply: one(
    z.object({
      deliveries: z.int().describe('How many events are sent, or would be.'),
      to: time.describe(
        'Where the period ended: not later than now. After a `dry_run`, send it to get just these events.',
      ),
    }),
  ),
  statuses: [400, 401, 404],
});
