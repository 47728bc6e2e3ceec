import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asOpenApi30 } from './as-3-0.ts';
import { type OpenApiDocument, openApiDocument } from './document.ts';

type Schema = Parameters<typeof z.fromJSONSchema>[0];
type Media = { schema: Schema; example?: unknown };
type Part = { [name: string]: unknown };

const original = openApiDocument('https://track.test', '1.0.0');
const document = asOpenApi30(original);

/** What a validator finds wrong with a description, by the structure of its version. */
async function problemsOf(described: object): Promise<string[]> {
  const source = makeDocumentFromString(JSON.stringify(described), 'openapi.json');
  const { styleguide: config } = await createConfig({
    rules: { struct: 'error', 'no-unresolved-refs': 'error', 'nullable-type-sibling': 'error' },
  });
  const problems = await lintDocument({ document: source, config, externalRefResolver: new BaseResolver() });
  return problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`);
}

/** What the conversion makes of one schema. */
function converted(schema: object, others: Record<string, object> = {}): unknown {
  const reply = { content: { 'application/json': { schema } } };
  const paths = { '/any': { get: { responses: { 200: reply } } } };
  const components = { ...original.components, schemas: others, responses: {}, headers: {} };
  const small = asOpenApi30({ ...original, paths, components } as OpenApiDocument) as { paths: typeof paths };
  return small.paths['/any'].get.responses[200].content['application/json'].schema;
}

describe('the API description as OpenAPI 3.0', () => {
  it('is one that a validator accepts', async () => {
    expect(await problemsOf(document)).toEqual([]);
    // The same in the words of 3.1 is refused.
    expect((await problemsOf({ ...original, openapi: '3.0.3' })).length).toBeGreaterThan(100);
  }, 120_000);

  it('has the same operations, and nothing that only webhooks need', () => {
    const idsOf = ({ paths }: Part) =>
      [...JSON.stringify(paths).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
    expect(idsOf(document)).toEqual(idsOf(original));
    const { schemas } = (document as { components: { schemas: Part } }).components;
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['ListedSale', 'TrackSaleRequest', 'Error']));
    expect([document.webhooks, schemas.SaleCreatedEvent]).toEqual([undefined, undefined]);
  });

  it('has examples that fit its schemas', () => {
    const { schemas } = (document as { components: { schemas: Record<string, Schema> } }).components;
    const definitions = JSON.parse(JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/definitions/'));
    const described = JSON.parse(JSON.stringify(document).replaceAll('#/components/schemas/', '#/definitions/'));
    const seen = new Set<string>();
    for (const { schema, example } of mediaIn(described)) {
      const name = JSON.stringify(schema);
      if (example === undefined || seen.has(name)) continue;
      seen.add(name);
      const type = z.fromJSONSchema({ ...(schema as object), definitions } as Schema, { defaultTarget: 'openapi-3.0' });
      expect({ name, issues: type.safeParse(example).error?.issues ?? [] }).toEqual({ name, issues: [] });
    }
    expect(seen.size).toBeGreaterThan(100);
  }, 120_000);
});

describe('in OpenAPI 3.0', () => {
  it.each<[what: string, schema: object, expected: object]>([
    ['null is no type', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      'null is among the values',
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
      { type: 'string', enum: ['a', null], nullable: true },
    ],
    ['nothing but null is', { type: 'null' }, { type: 'object', enum: [null], nullable: true }],
    [
      'several types are alternatives',
      { type: ['integer', 'string'], description: 'An id.' },
      { description: 'An id.', anyOf: [{ type: 'integer' }, { type: 'string' }] },
    ],
    [
      'each alternative may be null',
      { anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }] },
      {
        anyOf: [
          { type: 'integer', nullable: true },
          { type: 'string', nullable: true },
        ],
      },
    ],
    [
      'a reference may be null, beside its type',
      { anyOf: [{ $ref: '#/components/schemas/Row' }, { type: 'null' }], description: 'One.' },
      { description: 'One.', type: 'object', nullable: true, allOf: [{ $ref: '#/components/schemas/Row' }] },
    ],
    [
      'a reference stands alone',
      { $ref: '#/components/schemas/Row', description: 'One.' },
      { description: 'One.', allOf: [{ $ref: '#/components/schemas/Row' }] },
    ],
    ['a constant is the only value', { type: 'boolean', const: false }, { type: 'boolean', enum: [false] }],
    ['there is one example', { type: 'string', examples: ['a', 'b'] }, { type: 'string', example: 'a' }],
    [
      'exclusive says so',
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', minimum: 0, exclusiveMinimum: true },
    ],
    [
      'names of fields are not words',
      {
        type: 'object',
        properties: {
          const: { type: 'string', const: 'a' },
          examples: { type: 'array', items: { type: ['integer', 'null'] } },
        },
      },
      {
        type: 'object',
        properties: {
          const: { type: 'string', enum: ['a'] },
          examples: { type: 'array', items: { type: 'integer', nullable: true } },
        },
      },
    ],
    [
      'names of fields are texts anyway',
      { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: ['number', 'null'] } },
      { type: 'object', additionalProperties: { type: 'number', nullable: true } },
    ],
    ['anything includes null', { anyOf: [{}, { type: 'null' }] }, {}],
  ])('%s', (_, schema, expected) => {
    expect(converted(schema, { Row: { type: 'object', properties: {} } })).toEqual(expected);
  });
});

function mediaIn(part: unknown): Media[] {
  if (typeof part !== 'object' || part === null) return [];
  if ('content' in part) return Object.values(part.content as Record<string, Media>);
  return Object.values(part).flatMap(mediaIn);
}
