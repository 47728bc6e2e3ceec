import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { boundedText, identifier, optionalIdentifier } from '../../values/fields.ts';
import { MAX_PROCESSOR_SECRETS, PROCESSORS } from '../../values/processors.ts';
import { listQuery, managed, many, one, PROGRAM } from '../route.ts';

const PROVIDER = { error: `provider must be ${PROCESSORS.slice(0, -1).join(', ')} or ${PROCESSORS.at(-1)}` };
const provider = z.enum(PROCESSORS, PROVIDER);
const ofProvider = z.object({
  provider: provider.default('stripe').describe('The payment processor that is meant.'),
});

const MAX_LABEL_CHARS = 64;
const secretFields = {
  webhook_secret: optionalIdentifier('webhook_secret'),
  label: boundedText('label', MAX_LABEL_CHARS)
    .transform((label) => label.trim() || undefined)
    .optional()
    .describe('A label for this signing secret, for example `live`, `test` or `rolling`.'),
  test_mode: z
    .boolean({ error: 'test_mode must be true or false' })
    .optional()
    .describe(
      'Whether everything signed with this secret is a test. Required where events do not say so themselves (see `test_mode_in_events`).',
    ),
};

const processor = z.object({
  provider,
  title: z.string().describe('The name of the payment processor.'),
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
  event_uses: z
    .array(z.object({ type: z.string(), use: z.string() }))
    .describe('What each of these event types is used for.'),
  secret_prefix: z
    .string()
    .describe('How signing secrets of this processor start; empty where you choose the secret yourself.'),
  test_mode_in_events: z
    .boolean()
    .describe('Whether events say if they are tests. If not, the signing secret does: see `test_mode`.'),
  secrets: z
    .array(
      z.object({
        id: z.int(),
        label: z.string().nullable(),
        last_four: z.string(),
        test_mode: z.boolean(),
        created_at: z.iso.datetime(),
        last_used_at: z.iso.datetime().nullable().describe('To the minute.'),
      }),
    )
    .describe('The signing secrets, without their values. An event may be signed with any of them.'),
  signature_mismatches: z
    .object({ count: z.int(), last_at: z.iso.datetime() })
    .nullable()
    .describe('Requests refused because their signature fits none of the secrets, since a secret was last added.'),
  signatures_too_old: z
    .object({ count: z.int(), last_at: z.iso.datetime() })
    .nullable()
    .describe(
      'Requests refused because their signature, which fits, was older than five minutes, since a secret was last added. The secret is right: the requests were delayed, or the clock of this server is ahead.',
    ),
  last_event: z
    .object({ type: z.string(), outcome: z.string().nullable(), received_at: z.iso.datetime() })
    .nullable()
    .describe('The most recent event.'),
  last_error: z
    .object({ event_id: z.string(), message: z.string(), at: z.iso.datetime() })
    .nullable()
    .describe('The most recent failure that has not been resolved.'),
  events_seen: z
    .array(z.object({ type: z.string(), events: z.int(), tests: z.int(), last_at: z.iso.datetime() }))
    .describe(
      'The event types that have arrived since the processor was connected: how many, how many of them are tests, and when the last one arrived.',
    ),
  only_tests: z.boolean().describe('Whether all events so far are tests, which count nowhere.'),
  missing_events: z
    .array(
      z.object({
        events: z.array(z.string()).describe('None of these has ever arrived.'),
        after: z.array(z.string()).describe('So many of these have.'),
        count: z.int(),
        message: z.string(),
      }),
    )
    .describe(
      'Events that should have arrived by now, so that the endpoint is perhaps not subscribed to them. Tests are left out, unless `sandbox` is true.',
    ),
  unlinked_invoices: z
    .int()
    .describe(
      'How many subscription payments have arrived without the event that names their payment, since the last one that has it. Add `invoice_payment.paid` (Stripe) or `subscription_created` (Lemon Squeezy) to the endpoint’s events.',
    ),
  connected_at: z.iso.datetime().nullable(),
});
z.globalRegistry.add(processor, { id: 'Processor' });

export const manageProcessor = defineRoute({
  ...managed,
  id: 'manageProcessor',
  method: 'GET',
  path: `${PROGRAM}/processor`,
  summary: 'Get the connection to a payment processor',
  description: 'Signing secrets are never returned, only their last four characters.',
  role: 'owner',
  query: ofProvider,
  reply: one(processor),
  statuses: [400, 401, 403, 404],
});

export const manageConnectProcessor = defineRoute({
  ...managed,
  id: 'manageConnectProcessor',
  proof: 'recent',
  method: 'PUT',
  path: `${PROGRAM}/processor`,
  summary: 'Connect a payment processor',
  description:
    'Replaces an existing connection to the same processor, not those to others. The signing secret is stored encrypted and never returned.',
  role: 'owner',
  body: z.object({
    provider,
    ...secretFields,
    webhook_secret: secretFields.webhook_secret.describe(
      'Replaces all stored signing secrets. If left out, they are kept. Not needed for an account on a Connect platform.',
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
  proof: 'recent',
  method: 'DELETE',
  path: `${PROGRAM}/processor`,
  summary: 'Disconnect a payment processor',
  description: 'Its signing secrets are deleted, and further events from it are refused.',
  role: 'owner',
  query: ofProvider,
  reply: one(processor),
  statuses: [400, 401, 403, 404],
});

export const manageAddProcessorSecret = defineRoute({
  ...managed,
  id: 'manageAddProcessorSecret',
  proof: 'recent',
  method: 'POST',
  path: `${PROGRAM}/processor/secrets`,
  summary: 'Add a signing secret',
  description: `The stored ones stay valid. A connection has at most ${MAX_PROCESSOR_SECRETS}.`,
  role: 'owner',
  body: z.object({
    provider,
    ...secretFields,
    webhook_secret: identifier('webhook_secret').min(1, { error: 'webhook_secret is required' }),
  }),
  reply: one(processor),
  success: 201,
  statuses: [400, 401, 403, 404, 409],
});

export const manageRemoveProcessorSecret = defineRoute({
  ...managed,
  id: 'manageRemoveProcessorSecret',
  proof: 'recent',
  method: 'DELETE',
  path: `${PROGRAM}/processor/secrets/:processor_secret_id`,
  summary: 'Remove a signing secret',
  description: 'Events signed with it are refused from then on. To remove the last one, disconnect the processor.',
  role: 'owner',
  reply: one(processor),
  statuses: [401, 403, 404, 409],
});

const event = z.object({
  id: z.int(),
  provider,
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
z.globalRegistry.add(event, { id: 'ProcessorEvent' });

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
    provider: provider.optional(),
    state: z.enum(['waiting', 'done', 'failed'], { error: 'state must be waiting, done or failed' }).optional(),
  }),
  reply: many(event),
  statuses: [400, 401, 403, 404],
});

export const manageReplayProcessorEvent = defineRoute({
  ...managed,
  id: 'manageReplayProcessorEvent',
  proof: { none: 'Processing an event twice changes nothing.' },
  method: 'POST',
  path: `${PROGRAM}/processor/events/:processor_event_id/replay`,
  summary: 'Replay a payment processor event',
  description: 'Processing an event again never counts anything twice. Event contents are stored for 30 days.',
  role: 'owner',
  reply: one(event),
  statuses: [400, 401, 403, 404],
});
