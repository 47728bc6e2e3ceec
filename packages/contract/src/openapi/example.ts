import type { JsonSchema } from './schemas.ts';

/** Values for fields by the end of their names, where the type alone would make a poor example. */
const BY_NAME: [end: RegExp, value: unknown][] = [
  [/(^|_)click_id$/, 'cust_1_1760000000000'],
  [/(^|_)transaction_id$/, 'order_1001'],
  [/(^|_)customer_key$/, 'user_42'],
  [/(^|_)cents$/, 4900],
  [/(^|_)currency$/, 'USD'],
  [/email_masked$/, 'a***@example.com'],
  [/(^|_)email$/, 'ann@example.com'],
  [/(^|_)(url|origin)s?$/, 'https://example.com'],
  [/(^|_)domain$/, 'example.com'],
  [/short_link$|partner_code$/, 'jane'],
  [/color$/, '#1f6feb'],
  [/(^|_)days$/, 60],
  [/(^|_)api_key$/, 'svc_key_…'],
  [/api_key_masked$/, 'svc_key_aBcD****wXyZ'],
  [/(^|_)name$/, 'Jane'],
  [/(^|_)(message|note|text|reason|description)$/, 'A short text'],
];
const TIME = '2026-03-10T12:00:00.000Z';

/** An example that fits the schema, with the fields that are always there, if there are any. Schemas that it refers to are looked up in `named`. */
export function exampleOf(schema: JsonSchema, named: Record<string, JsonSchema>, name = ''): unknown {
  const { $ref, anyOf, oneOf, allOf, enum: values, const: only, examples, default: usual, properties } = schema;
  if ($ref) return exampleOf(named[$ref.split('/').at(-1) as string] ?? {}, named, name);
  if (only !== undefined) return only;
  if (usual !== undefined) return usual;
  if (Array.isArray(examples)) return examples[0];
  if (values) return values[0];
  if (allOf) return Object.assign({}, ...allOf.map((part) => exampleOf(part as JsonSchema, named, name)));
  const choices = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (choices) return exampleOf(choices.find(({ type }) => type !== 'null') ?? {}, named, name);
  if (properties) {
    const all = Object.entries(properties as Record<string, JsonSchema>);
    const needed = all.filter(([field]) => schema.required?.includes(field));
    const fields = needed.length > 0 ? needed : all;
    return Object.fromEntries(fields.map(([field, inner]) => [field, exampleOf(inner, named, field)]));
  }
  const type = [schema.type].flat().find((name) => name !== 'null');
  if (type === 'array') return [exampleOf((schema.items ?? {}) as JsonSchema, named, name)];
  return plainExample({ ...schema, type }, name);
}

function plainExample({ type, format, minimum = 0 }: JsonSchema, name: string): unknown {
  if (format === 'date-time') return TIME;
  if (format === 'date') return TIME.slice(0, 10);
  const [, fitting] = BY_NAME.find(([end]) => end.test(name)) ?? [];
  switch (type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return typeof fitting === 'number' ? fitting : Math.max(Number(minimum), 1);
    case 'string':
      return typeof fitting === 'string' ? fitting : 'text';
    case 'null':
      return null;
    default:
      return {};
  }
}
