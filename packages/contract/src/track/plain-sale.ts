import { isCurrency } from '../values/currencies.ts';
import { isStorable } from '../values/fields.ts';
import { MAX_IDENTIFIER_CHARS } from '../values/limits.ts';

const isIdentifier = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_IDENTIFIER_CHARS && isStorable(value);

/** The fields that most sales are sent with, and when a value needs no closer look. */
const PLAIN: Record<string, (value: unknown) => boolean> = {
  transaction_id: isIdentifier,
  customer_key: isIdentifier,
  click_id: isIdentifier,
  amount_cents: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  currency: (value) => typeof value === 'string' && isCurrency(value),
  sale_type: (value) => value === 'payment' || value === 'subscription',
  is_recurring: (value) => typeof value === 'boolean',
  subscription_id: isIdentifier,
  product_id: isIdentifier,
};
const plainFields = new Map(Object.entries(PLAIN));

export type PlainSale = { transaction_id: string; amount_cents: number } & { [field: string]: unknown };

/**
 * Parses a sale whose fields are all plain. The result is the schema's. Anything else, valid or not, returns undefined and is
 * left to the schema, which takes several times as long. `knownFields` are the schema's; others are ignored.
 */
export function plainSale(fields: object, knownFields: ReadonlySet<string>): PlainSale | undefined {
  const body: { [field: string]: unknown } = { currency: 'USD', sale_type: 'payment', is_recurring: false };
  for (const [name, value] of Object.entries(fields)) {
    const isPlain = plainFields.get(name);
    if (isPlain ? !isPlain(value) : knownFields.has(name)) return undefined;
    if (isPlain) body[name] = value;
  }
  return body.transaction_id === undefined || body.amount_cents === undefined ? undefined : (body as PlainSale);
}
