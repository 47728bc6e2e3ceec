import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
export type Ref = { $ref: string };

/** What zod calls the place of schemas that have a name of their own. */
const ZOD_PLACE = '#/$defs/';
const PLACE = '#/components/schemas/';

/** Collects the schemas of the document by name. A schema with an id in its metadata has its own name wherever it occurs. */
export function createSchemas() {
  const named: Record<string, JsonSchema> = {};

  /** Describes a schema in place. Named ones that it contains are moved to the others. */
  function describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const options = { io, unrepresentable: 'any', override: simplify } as const;
    const text = JSON.stringify(z.toJSONSchema(schema, options)).replaceAll(ZOD_PLACE, PLACE);
    const { $schema, $defs = {}, ...described } = JSON.parse(text) as JsonSchema;
    for (const [name, { id, ...definition }] of Object.entries($defs)) named[name] = definition;
    // A schema that has a name itself is described in place too, because the caller may add to it.
    return described.$ref ? (named[described.$ref.slice(PLACE.length)] as JsonSchema) : described;
  }

  function add(name: string, schema: JsonSchema): Ref {
    named[name] = schema;
    return { $ref: `${PLACE}${name}` };
  }

  return { named, describe, add };
}

export type Schemas = ReturnType<typeof createSchemas>;

/**
 * Leaves out what would hide the rest: bounds that hold for every integer, and the pattern behind a format. Replies may get
 * further fields, so no object says that it has no others.
 */
function simplify({ jsonSchema: described }: { jsonSchema: JsonSchema }): void {
  if (described.minimum === Number.MIN_SAFE_INTEGER) delete described.minimum;
  if (described.maximum === Number.MAX_SAFE_INTEGER) delete described.maximum;
  if (described.format === 'date-time') delete described.pattern;
  if (described.additionalProperties === false) delete described.additionalProperties;
}
