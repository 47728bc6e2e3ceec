/** The parts of a schema that are schemas themselves: one, a list, or by name. */
const ONE = ['items', 'additionalProperties', 'not'];
const LISTS = ['anyOf', 'oneOf', 'allOf'];

/** The schema with each schema in it replaced by what `map` makes of it. */
export function mapInner<Schema extends object>(schema: Schema, map: (inner: Schema) => object): Schema {
  const inner = (part: unknown) => (typeof part === 'object' && part !== null ? map(part as Schema) : part);
  const words = Object.entries(schema).map(([word, value]) => {
    if (word === 'properties') {
      return [word, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(part)]))];
    }
    if (LISTS.includes(word)) return [word, (value as unknown[]).map(inner)];
    return [word, ONE.includes(word) ? inner(value) : value];
  });
  return Object.fromEntries(words) as Schema;
}
