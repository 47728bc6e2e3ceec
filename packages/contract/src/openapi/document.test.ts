import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routeGroups, routes } from '../routes.ts';
import { acceptsIdempotencyKey } from '../routing/idempotency.ts';
import type { RouteDefinition } from '../routing/route.ts';
import { openApiDocument } from './document.ts';

type Schema = Parameters<typeof z.fromJSONSchema>[0] & z.core.JSONSchema.BaseSchema;
type Media = { schema: Schema; example?: unknown };
type Answer = { headers: Record<string, object>; content: Record<string, Media> };
type Operation = {
  tags: string[];
  security: object[];
  parameters?: { name: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
};

const document = openApiDocument('https://track.test', '1.0.0');
// Most routes refer to the same few schemas, so each is inlined and compiled once.
const targets = new Map<string, unknown>();
const compiled = new Map<Schema, z.ZodType>();
const inlined = inline(document) as { paths: Record<string, Record<string, Operation>> };

function inline(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inline);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { $ref?: string };
  if (typeof $ref !== 'string')
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inline(part)]));
  const target = targets.get($ref) ?? inline(targetOf($ref));
  targets.set($ref, target);
  return target;
}

function targetOf($ref: string): unknown {
  const path = $ref.slice(2).split('/');
  return path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document);
}

const operationOf = ({ path, method }: RouteDefinition): Operation =>
  inlined.paths[path.replace(/:([a-z_]+)/g, '{$1}')]?.[method.toLowerCase()] as Operation;
const routeOf = (id: string) => operationOf(routes.find((route) => route.id === id) as RouteDefinition);
function accepts(schema: Schema, value: unknown) {
  const type = compiled.get(schema) ?? z.fromJSONSchema(schema);
  compiled.set(schema, type);
  return type.safeParse(value).error?.issues ?? [];
}

describe.each(routes)('$method $path', (route) => {
  const operation = operationOf(route);

  it('has a tag, a statement about credentials, and examples that fit their schemas', () => {
    expect(operation.tags).toHaveLength(1);
    expect(operation.security).toBeInstanceOf(Array);
    const media = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
      Object.values(part?.content ?? {}),
    );
    for (const { schema, example } of media) {
      if (route.replyType && schema.type === 'string') continue;
      expect(example).toBeDefined();
      expect(accepts(schema, example)).toEqual([]);
    }
    // What the reference shows as a request is one.
    if (route.example)
      expect(accepts(operation.requestBody?.content['application/json']?.schema as Schema, route.example)).toEqual([]);
  });

  it('has every status that follows from its definition, and the headers of each', () => {
    const statuses = Object.keys(operation.responses);
    expect(statuses).toEqual(expect.arrayContaining(route.statuses.map(String)));
    if (route.bucket) expect(statuses).toContain('429');
    if (route.retired) return expect(statuses).toEqual(['410', '429']);
    expect(statuses).toEqual(expect.arrayContaining(['500', '503']));
    if (route.method !== 'GET' && !route.signed)
      expect(statuses).toEqual(expect.arrayContaining(['400', '413', '415']));
    if (acceptsIdempotencyKey(route)) {
      expect(statuses).toContain('409');
      expect(operation.parameters?.map(({ name }) => name)).toContain('Idempotency-Key');
    }
    for (const [status, { headers }] of Object.entries(operation.responses)) {
      expect('X-Request-ID' in headers).toBe(!route.withoutRequestId?.includes(Number(status)));
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(['X-RateLimit-Limit', 'X-RateLimit-Remaining']));
      if (status === '429' || status === '503') expect(headers).toHaveProperty('Retry-After');
    }
  });
});

describe('the document', () => {
  it('says what it describes, and what each group is for', () => {
    expect(document.info).toMatchObject({
      description: expect.stringContaining('JSON over HTTP at https://track.test.'),
    });
    expect(document.tags.map(({ name }) => name)).toEqual(routeGroups.map(({ name }) => name));
    for (const { name, description } of document.tags) expect(description).not.toBe(name);
  });

  it('closes no reply and no body to further fields', () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
  });

  it('names the schemas of bodies, replies and rows', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        ...['Error', 'Warning', 'Program', 'Partner', 'Link', 'Commission', 'Customer', 'Payout', 'Readiness'],
        ...['TrackSaleRequest', 'TrackSaleTestRequest', 'TrackSaleReply', 'TrackBatchRequest', 'ManageProgramReply'],
      ]),
    );
  });

  it('has every field of an error', () => {
    const { error } = (document.components.schemas.Error as { properties: Record<string, Schema> }).properties;
    expect(Object.keys(error?.properties ?? {}).sort()).toEqual(
      ['code', 'details', 'docs_url', 'hint', 'message', 'name', 'retry_after_seconds', 'status'].sort(),
    );
  });

  it('lets clicks and leads be sent as plain text, and nothing else', () => {
    const plain = routes.filter((route) => operationOf(route).requestBody?.content['text/plain']);
    expect(plain.map(({ id }) => id)).toEqual(['trackClick', 'trackLead']);
  });

  it.each([
    ['trackClick', { additional_data: { test_mode: true } }, { page_url: 'https://acme.test/' }],
    ['trackSale', { additional_data: { test_mode: true } }, { amount_cents: 100 }],
  ])('requires less of %s in test mode', (id, test, real) => {
    const schema = routeOf(id).requestBody?.content['application/json']?.schema as Schema;
    expect(accepts(schema, test)).toEqual([]);
    expect(accepts(schema, real)).not.toEqual([]);
  });

  it('knows the items of a batch', () => {
    const schema = routeOf('trackBatch').requestBody?.content['application/json']?.schema as Schema;
    const batch = (item: object) => accepts(schema, { items: [item] });
    expect(batch({ type: 'sale', additional_data: { test_mode: true } })).toEqual([]);
    expect(batch({ type: 'refund', transaction_id: 'order_1' })).toEqual([]);
    expect(batch({ type: 'refund' })).not.toEqual([]);
    expect(batch({ type: 'click' })).not.toEqual([]);
  });
});
