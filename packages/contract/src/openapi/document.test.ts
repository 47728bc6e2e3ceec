import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routeGroups, routes } from '../routes.ts';
import { acceptsIdempotencyKey } from '../routing/idempotency.ts';
import type { RouteDefinition } from '../routing/route.ts';
import { openApiDocument } from './document.ts';
import { PARTS } from './parts.ts';

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

/** Every object with fields that is described inside another schema, and where. */
function* partsIn(schema: object, path: string): Generator<[string, { description?: string }]> {
  for (const [word, value] of Object.entries(schema)) {
    if (typeof value !== 'object' || value === null) continue;
    const inner = Array.isArray(value) || word === 'properties' ? Object.entries(value) : [[word, value] as const];
    for (const [name, part] of inner) {
      if (typeof part !== 'object' || part === null) continue;
      const at = word === 'properties' ? `${path}.${name}` : word === 'items' ? `${path}[]` : path;
      if (part.type === 'object' && Object.keys(part.properties ?? {}).length > 0) yield [at, part];
      yield* partsIn(part, at);
    }
  }
}

/** The schemas of every field and parameter, by name. */
function* fieldsIn(part: unknown): Generator<[string, Schema]> {
  if (typeof part !== 'object' || part === null) return;
  const { name, schema, properties = {} } = part as { name?: string; schema?: Schema; properties?: object };
  if (name && schema) yield [name, schema];
  yield* Object.entries(properties);
  for (const [word, inner] of Object.entries(part)) if (word !== 'example') yield* fieldsIn(inner);
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
    if (route.ifMatch) {
      expect(statuses).toContain('412');
      expect(operation.parameters?.map(({ name }) => name)).toContain('If-Match');
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
        ...['TrackSaleRequest', 'TrackSaleReply', 'TrackBatchRequest', 'ManageProgramReply', ...Object.keys(PARTS)],
      ]),
    );
    for (const operation of Object.values(document.paths).flatMap((operations) => Object.values(operations))) {
      const { requestBody, responses } = operation as Operation;
      for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)] as Partial<Answer>[]) {
        const { schema } = content['application/json'] ?? {};
        // What processors send has their schema.
        if (schema && !JSON.stringify(schema).includes('as the processor sends it'))
          expect(Object.keys(schema)).toEqual(['$ref']);
      }
    }
  });

  it('has a name for every row of a reply, and describes nothing twice', () => {
    const places = new Map<string, string[]>();
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const [path, { description: _, ...part }] of partsIn(schema, name)) {
        const text = JSON.stringify(part);
        places.set(text, [...(places.get(text) ?? []), path]);
      }
    }
    const inline = [...places.values()];
    expect(inline.filter((paths) => paths.length > 1)).toEqual([]);
    expect(inline.flat().filter((path) => /^\w+Reply\.data(\[\])?$/.test(path))).toEqual([]);
  });

  it('says which whole numbers need 64 bits: ids, amounts, and all without a smaller bound', () => {
    const integers = [...fieldsIn(document)].filter(([, { type }]) => [type].flat().includes('integer'));
    const small = integers.filter(([, { format }]) => format !== 'int64');
    expect(small.map(([name]) => name).filter((name) => /(^|_)(id|ids|cents)$/.test(name))).toEqual([]);
    for (const [name, { maximum }] of small) {
      // The status of an error and how long to wait are not declared by a route.
      if (!['status', 'retry_after_seconds', 'rule'].includes(name)) expect(maximum).toBeLessThan(2 ** 31);
    }
    expect(integers.length - small.length).toBeGreaterThan(500);
  });

  it('has booleans where true and false are meant, also in queries', () => {
    expect(JSON.stringify(document)).not.toMatch(/\["true","false"\]|\["false","true"\]/);
    const { parameters = [] } = routeOf('manageLinks') as { parameters?: { name: string; schema?: Schema }[] };
    expect(parameters.find(({ name }) => name === 'totals')?.schema).toEqual({ type: 'boolean' });
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
    ['trackClick', ['affiliate_url']],
    ['trackSale', ['transaction_id', 'amount_cents']],
  ])('has one body of %s, and says what test mode does without', (id, required) => {
    const schema = routeOf(id).requestBody?.content['application/json']?.schema as Schema;
    expect(schema.required).toEqual(required);
    const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    const optional = fields.filter(([, { description }]) => description?.includes('May be left out in test mode.'));
    expect(optional.map(([name]) => name)).toEqual(required);
  });

  it('knows the items of a batch', () => {
    const schema = routeOf('trackBatch').requestBody?.content['application/json']?.schema as Schema;
    const batch = (item: object) => accepts(schema, { items: [item] });
    expect(batch({ type: 'sale', transaction_id: 'order_1', amount_cents: 100 })).toEqual([]);
    expect(batch({ type: 'refund', transaction_id: 'order_1' })).toEqual([]);
    expect(batch({ type: 'refund' })).not.toEqual([]);
    expect(batch({ type: 'click' })).not.toEqual([]);
  });
});
