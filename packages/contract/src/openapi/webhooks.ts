import { exampleEvent } from '../feed/example-events.ts';
import {
  FEED_EVENT_TYPES,
  FEED_EVENTS,
  feedEventSchemas,
  type WebhookTestEvent,
  webhookTestEvent,
} from '../feed/feed-events.ts';
import type { Schemas } from './schemas.ts';

const HEADERS = [
  {
    name: 'webhook-id',
    description: 'The id of the event: the same at every attempt, and in the feed. Ignore one that you have processed.',
    schema: { type: 'string' },
    example: 'evt_01980c4e2b7f7d3a9f5e6b1c2d3e4f5a',
  },
  {
    name: 'webhook-timestamp',
    description: 'When this attempt was signed, in Unix seconds. Refuse one that is more than five minutes off.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1773144000',
  },
  {
    name: 'webhook-signature',
    description:
      '`v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`, one for each valid secret, separated by spaces. ' +
      'Any library for Standard Webhooks verifies it.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

/** What an endpoint answers, and what follows from it. */
const RESPONSES = {
  204: { description: 'Received. Any status from 200 to 299 counts, within 15 seconds.' },
  410: { description: 'The endpoint no longer exists. It is disabled at once.' },
  default: {
    description:
      'Anything else, redirects included: sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, or later if the answer ' +
      'says so. After five days of nothing but failures, the endpoint is disabled.',
    headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
  },
};

const TEST: WebhookTestEvent = {
  id: 'evt_01980c4e2b7f7d3a9f5e6b1c2d3e4f5a',
  type: 'webhook.test',
  timestamp: '2026-03-10T12:00:00.000Z',
  program_id: 42,
  sequence: null,
  data: { message: 'This is a test. Nothing has happened.' },
};

const DESCRIPTION =
  'Sent to webhook endpoints of the format `json` that are subscribed to the type. The feed has the same event, byte for byte.';

/** The requests that webhook endpoints get: one for every type of event, and the test. */
export function webhooksOf(tag: string, schemas: Schemas) {
  const events = FEED_EVENT_TYPES.map((type) => ({
    type,
    description: `${FEED_EVENTS[type].summary} ${DESCRIPTION}`,
    schema: feedEventSchemas[type],
    example: exampleEvent(type),
  }));
  const test = {
    type: TEST.type,
    description:
      'Someone tests the endpoint, from the dashboard or by `POST …/webhooks/{webhook_id}/test`. The feed does not have it.',
    schema: webhookTestEvent,
    example: TEST,
  };
  return Object.fromEntries(
    [...events, test].map(({ type, description, schema, example }) => {
      const name = pascalCase(type);
      const body = schemas.add(`${name}Event`, schemas.describe(schema, 'output'));
      const operation = {
        tags: [tag],
        operationId: `receive${name}`,
        // What people look for, and what the reference lists.
        summary: type,
        description,
        security: [],
        parameters: HEADERS.map((header) => ({ ...header, in: 'header', required: true })),
        requestBody: { required: true, content: { 'application/json': { schema: body, example } } },
        responses: RESPONSES,
      };
      return [type, { post: operation }];
    }),
  );
}

const pascalCase = (type: string) => type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
