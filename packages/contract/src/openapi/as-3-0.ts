import type { OpenApiDocument } from './document.ts';
import { mapInner } from './map-inner.ts';
import { PLACE } from './schemas.ts';

/** A part of the document, as JSON. */
type Part = { [name: string]: unknown };
type Named = Record<string, Part>;

/**
 * The same description as OpenAPI 3.0, for tools that cannot read 3.1. It promises the same in older words, such as `nullable`.
 * Webhooks are left out, because 3.0 has none, and with them the schemas that only they use.
 */
export function asOpenApi30({ webhooks: _, info, components, ...rest }: OpenApiDocument): Part {
  const { schemas: all, ...others } = components;
  const schemas = onlyUsed(all as Named, [rest, others]);
  const named = Object.entries(schemas).map(([name, schema]) => [name, convert(schema, schemas)]);
  return {
    ...convertAll(rest, schemas),
    openapi: '3.0.3',
    info: { ...info, license: { name: 'MIT', url: 'https://opensource.org/license/mit' } },
    components: { ...convertAll(others, schemas), schemas: Object.fromEntries(named) },
  };
}

/** The named schemas that the parts refer to, directly or through others. */
function onlyUsed(schemas: Named, parts: unknown): Named {
  const used = new Set<string>();
  const visit = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(schemas[name]);
    }
  };
  visit(parts);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}

/** Converts every schema in a part of the document. */
function convertAll<Some>(part: Some, schemas: Named): Some {
  if (Array.isArray(part)) return part.map((item) => convertAll(item, schemas)) as Some;
  if (typeof part !== 'object' || part === null) return part;
  const convertOne = ([name, inner]: [string, unknown]) => {
    if (name === 'example') return [name, inner];
    return [name, name === 'schema' ? convert(inner as Part, schemas) : convertAll(inner, schemas)];
  };
  return Object.fromEntries(Object.entries(part).map(convertOne)) as Some;
}

function convert(schema: Part, schemas: Named): Part {
  const { $ref, ...beside } = schema;
  if ($ref === undefined) return convertTypes(convertWords(schema, schemas), schemas);
  // In 3.0, what is beside a reference does not count.
  return Object.keys(beside).length === 0 ? schema : { ...convertWords(beside, schemas), allOf: [{ $ref }] };
}

/** What 3.0 says in other words, or not at all. */
function convertWords(
  { const: only, examples, exclusiveMinimum, propertyNames, anyOf, ...schema }: Part,
  schemas: Named,
): Part {
  return {
    ...mapInner(schema, (inner) => convert(inner, schemas)),
    // Null is taken out of the alternatives first.
    ...(anyOf !== undefined && { anyOf }),
    ...(only !== undefined && { enum: [only] }),
    ...(Array.isArray(examples) && { example: examples[0] }),
    ...(exclusiveMinimum !== undefined && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
  };
}

/** A schema has at most one type, and null is none. */
function convertTypes({ type = [], anyOf = [], ...words }: Part, schemas: Named): Part {
  const types = [type].flat();
  const isNull = (choice: unknown) => choice === 'null' || (choice as Part).type === 'null';
  const kinds = types.filter((kind) => !isNull(kind));
  const choices = (anyOf as Part[]).filter((choice) => !isNull(choice)).map((choice) => convert(choice, schemas));
  const alternatives = kinds.length > 1 ? kinds.map((kind) => ({ type: kind })) : choices;
  const whole = {
    ...(kinds.length === 1 && { type: kinds[0] }),
    ...words,
    ...(alternatives.length > 0 && { anyOf: alternatives }),
  };
  if (!types.some(isNull) && !(anyOf as Part[]).some(isNull)) return whole;
  if (kinds.length + choices.length === 0) return { type: 'object', ...words, nullable: true, enum: [null] };
  const [choice] = choices;
  return choices.length === 1 && choice ? { ...orNull(choice, schemas), ...words } : orNull(whole, schemas);
}

/** The converted schema, or null. In 3.0 that takes a type beside it, and null in the list of values. */
function orNull(schema: Part, schemas: Named): Part {
  const { $ref, type, anyOf, enum: values } = schema;
  if (typeof $ref === 'string') {
    const target = schemas[$ref.slice(PLACE.length)];
    return { type: target?.type ?? 'object', nullable: true, allOf: [schema] };
  }
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.map((choice) => orNull(choice, schemas)) };
  // What has no type may be anything.
  if (type === undefined) return schema;
  return { ...schema, nullable: true, ...(Array.isArray(values) && { enum: [...values, null] }) };
}
