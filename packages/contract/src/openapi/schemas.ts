import { z } from 'zod';
import { mapInner } from './map-inner.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
export type Ref = { $ref: string };

/** What zod calls the place of schemas that have a name of their own. */
const ZOD_PLACE = '#/$defs/';
export const PLACE = '#/components/schemas/';

/** Collects the schemas of the document by name. A schema with an id in its metadata has its own name wherever it occurs. */
export function createSchemas() {
  const named: Record<string, JsonSchema> = {};

  /** Describes a schema in place. Named ones that it contains are moved to the others. */
  function describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const text = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' })).replaceAll(ZOD_PLACE, PLACE);
    const { $schema, $defs = {}, ...described } = JSON.parse(text) as JsonSchema;
    for (const [name, { id, ...definition }] of Object.entries($defs)) named[name] = simplify(definition, io);
    // A schema that has a name itself is described in place too, because the caller may add to it.
    return described.$ref ? (named[described.$ref.slice(PLACE.length)] as JsonSchema) : simplify(described, io);
  }

  function add(name: string, schema: JsonSchema): Ref {
    named[name] = schema;
    return { $ref: `${PLACE}${name}` };
  }

  return { named, describe, add };
}

export type Schemas = ReturnType<typeof createSchemas>;

/** Describes the schema, and every one in it, in the words that readers and generators of clients know best. */
function simplify(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  const { additionalProperties, pattern, ...described } = withOneType(mapInner(schema, (inner) => simplify(inner, io)));
  return {
    ...sized(described, io),
    // The pattern behind a format would hide the rest.
    ...(pattern !== undefined && described.format !== 'date-time' && { pattern }),
    // Replies may get further fields, so no object says that it has no others.
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
  };
}

/**
 * A value that may be null has a type beside null. What may be sent as a number or as text is described as what it usually is:
 * most languages have no type for both.
 */
function withOneType({ usually, ...schema }: JsonSchema): JsonSchema {
  const { anyOf = [], ...rest } = schema;
  if (usually) {
    const chosen = (anyOf as JsonSchema[]).find(({ type }) => type === usually);
    return { ...rest, type: usually as 'string' | 'integer', ...chosen };
  }
  const [value, nothing] = anyOf as JsonSchema[];
  if (anyOf.length !== 2 || nothing?.type !== 'null' || !isPlain(value)) return schema;
  return { ...value, ...rest, type: [value.type, 'null'] } as JsonSchema;
}

const isPlain = (schema?: JsonSchema): schema is JsonSchema =>
  typeof schema?.type === 'string' &&
  ['string', 'integer', 'number'].includes(schema.type) &&
  !schema.enum &&
  schema.const === undefined;

const INT32_MAX = 2 ** 31 - 1;

/** Ids, amounts and counts do not fit into 32 bits, which is what many languages take an integer for. */
function sized(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  if (![schema.type].flat().includes('integer')) return schema;
  const {
    exclusiveMinimum,
    minimum = exclusiveMinimum === undefined ? undefined : Number(exclusiveMinimum) + 1,
    maximum,
    ...rest
  } = schema;
  // A reply has sums of any size. What is sent may not be larger than all languages can read.
  const isSaid = (bound: unknown) =>
    bound !== undefined && (io === 'input' || Math.abs(Number(bound)) !== Number.MAX_SAFE_INTEGER);
  return {
    ...rest,
    ...(Number(maximum ?? Infinity) > INT32_MAX && { format: 'int64' }),
    ...(isSaid(minimum) && { minimum }),
    ...(isSaid(maximum) && { maximum }),
  } as JsonSchema;
}
