import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';
import { MAX_LARGE_BODY_BYTES } from '../values/limits.ts';
import { customEvent } from './custom-event.ts';

const received = z.object({
  received: z.literal(true),
  duplicate: z.boolean().describe('The event was received before; nothing changes.'),
});

const webhook = {
  method: 'POST',
  auth: 'none',
  signed: true,
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  bucket: 'webhook',
  reply: received,
  fail: () => errors.internal('The event could not be stored. The payment processor will send it again.'),
  statuses: [400, 404],
} as const;

export const processorWebhook = defineRoute({
  ...webhook,
  id: 'processorWebhook',
  path: '/api/v1/webhooks/:provider/:program_id',
  summary: 'Receive an event of a payment processor',
  description:
    'Signed with one of the program’s own signing secrets. The event is stored once, acknowledged and then processed. Shops with any other payment processor send events themselves, with `custom` as the provider: signed as Standard Webhooks describes it, the body is the fact itself.',
  event: customEvent,
});

export const stripePlatformWebhook = defineRoute({
  ...webhook,
  id: 'stripePlatformWebhook',
  path: '/api/v1/webhooks/stripe',
  summary: 'Receive a Stripe Connect event',
  description: 'Signed with the platform’s signing secret. The account identifies the program.',
});
