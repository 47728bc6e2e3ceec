import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FEED_EVENT_TYPES, FEED_EVENTS } from '../feed/feed-events.ts';
import { openApiDocument } from './document.ts';

type Schema = Parameters<typeof z.fromJSONSchema>[0];
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  security: object[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody: { content: { 'application/json': { schema: { $ref: string }; example: Record<string, unknown> } } };
  responses: Record<string, { description: string }>;
};

const document = openApiDocument('https://track.test', '1.0.0');
const webhooks = document.webhooks as Record<string, { post: Operation }>;
const bodyOf = (type: string) => webhooks[type]!.post.requestBody.content['application/json'];

/** The named schema with everything that it refers to, as a validator. */
function validatorOf({ $ref }: { $ref: string }) {
  const text = JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/');
  const $defs = JSON.parse(text) as Record<string, Schema>;
  return z.fromJSONSchema({ $ref: $ref.replace('#/components/schemas/', '#/$defs/'), $defs } as Schema);
}

describe('the webhooks of the API description', () => {
  it('are all types of events, and the test', () => {
    expect(Object.keys(webhooks)).toEqual([...FEED_EVENT_TYPES, 'webhook.test']);
    const ids = Object.values(webhooks).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([...FEED_EVENT_TYPES, 'webhook.test'])(
    '%s has an example that fits its schema, and no other does',
    (type) => {
      const { schema, example } = bodyOf(type);
      const validator = validatorOf(schema);
      expect(example.type).toBe(type);
      expect(validator.safeParse(example).error?.issues ?? []).toEqual([]);
      expect(validator.safeParse({ ...example, type: 'something.else' }).success).toBe(false);
      expect(validator.safeParse({ ...example, data: {} }).success).toBe(false);
    },
  );

  it.each(FEED_EVENT_TYPES)('%s says what has happened, how it is signed, and what to answer', (type) => {
    const { summary, description, security, parameters, responses } = webhooks[type]!.post;
    expect([summary, description.startsWith(FEED_EVENTS[type].summary)]).toEqual([type, true]);
    expect(security).toEqual([]);
    expect(parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ['webhook-id', 'header', true],
      ['webhook-timestamp', 'header', true],
      ['webhook-signature', 'header', true],
    ]);
    expect(Object.keys(responses)).toEqual(['204', '410', 'default']);
  });
});
