import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { optionalIdentifier } from '../values/fields.ts';
import { listQuery, managed, many, one, PROGRAM } from './route.ts';

const processor = z.object({
  provider: z.literal('stripe'),
  account_id: z.string().nullable(),
  account_status: z
    .enum(['proven', 'unproven'])
    .nullable()
    .describe(
      'Whether the account is proven to be the workspace’s own. Events of a Connect platform arrive only when it is: after an event of the account that names the program in its metadata, or when the operator has assigned it.',
    ),
  status: z.enum(['connected', 'not_connected']),
  sandbox: z.boolean().describe('Whether the processor’s test payments count as real ones.'),
  webhook_url: z.string().describe('The webhook address to enter at the processor.'),
  events: z.array(z.string()).describe('The event types to subscribe to.'),
  last_event: z
    .object({ type: z.string(), outcome: z.string().nullable(), received_at: z.iso.datetime() })
    .nullable()
    .describe('The most recent event.'),
  last_error: z
    .object({ event_id: z.string(), message: z.string(), at: z.iso.datetime() })
    .nullable()
    .describe('The most recent failure that has not been resolved.'),
  unlinked_invoices: z
    .int()
    .describe(
      'How many subscription payments have arrived without the event that names their payment, since the last one that has it. Their refunds and disputes cannot be applied: add `invoice_payment.paid` to the endpoint’s events.',
    ),
  connected_at: z.iso.datetime().nullable(),
});

export const manageProcessor = defineRoute({
  ...managed,
  id: 'manageProcessor',
  method: 'GET',
  path: `${PROGRAM}/processor`,
  summary: 'Get the payment processor connection',
  description: 'The signing secret is never returned.',
  role: 'owner',
  reply: one(processor),
  statuses: [401, 403, 404],
});

export const manageConnectProcessor = defineRoute({
  ...managed,
  id: 'manageConnectProcessor',
  method: 'PUT',
  path: `${PROGRAM}/processor`,
  summary: 'Connect a payment processor',
  description: 'Replaces an existing connection. The signing secret is stored encrypted and never returned.',
  role: 'owner',
  body: z.object({
    provider: z.literal('stripe', { error: 'provider must be stripe' }),
    webhook_secret: optionalIdentifier('webhook_secret').describe(
      'If left out, the stored secret is kept. Not needed for an account on a Connect platform.',
    ),
    account_id: optionalIdentifier('account_id').describe(
      'The account on a Connect platform. Naming it is no proof that it is yours, see `account_status`.',
    ),
    sandbox: z.boolean({ error: 'sandbox must be true or false' }).optional(),
  }),
  reply: one(processor),
  statuses: [400, 401, 403, 404, 409],
});

export const manageDisconnectProcessor = defineRoute({
  ...managed,
  id: 'manageDisconnectProcessor',
  method: 'DELETE',
  path: `${PROGRAM}/processor`,
  summary: 'Disconnect the payment processor',
  description: 'Further events from it are refused.',
  role: 'owner',
  reply: one(processor),
  statuses: [401, 403, 404],
});

const event = z.object({
  id: z.int(),
  event_id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  state: z.enum(['waiting', 'done', 'failed']),
  outcome: z.string().nullable(),
  reason: z.string().nullable().describe('The outcome as a sentence.'),
  hint: z.string().nullable().describe('What to correct in the shop, such as a misspelt metadata field.'),
  error: z.string().nullable(),
  attempts: z.int(),
  next_attempt_at: z.iso.datetime().nullable(),
  transaction_id: z.string().nullable(),
  customer_id: z.int().nullable(),
  partner_id: z
    .int()
    .nullable()
    .describe('The partner of the customer. In test mode, whom a real payment would credit.'),
  partner_name: z.string().nullable(),
  happened_at: z.iso.datetime(),
  received_at: z.iso.datetime(),
});

export const manageProcessorEvents = defineRoute({
  ...managed,
  id: 'manageProcessorEvents',
  method: 'GET',
  path: `${PROGRAM}/processor/events`,
  summary: 'List payment processor events',
  description: 'Newest first, each with its outcome and the reason.',
  role: 'owner',
  query: z.object({
    ...listQuery,
    state: z.enum(['waiting', 'done', 'failed'], { error: 'state must be waiting, done or failed' }).optional(),
  }),
  reply: many(event),
  statuses: [400, 401, 403, 404],
});

export const manageReplayProcessorEvent = defineRoute({
  ...managed,
  id: 'manageReplayProcessorEvent',
  method: 'POST',
  path: `${PROGRAM}/processor/events/:processor_event_id/replay`,
  summary: 'Replay a payment processor event',
  description: 'Processing an event again never counts anything twice. Event contents are stored for 30 days.',
  role: 'owner',
  reply: one(event),
  statuses: [400, 401, 403, 404],
});
