import { isCurrency } from '@svc/contract';
import type { ProcessorFact } from '../../processor-fact.ts';
import { idOf, wholeCents } from '../fields.ts';
import type { LemonObject } from './evidence.ts';

/** An order or an invoice with the total that was refunded of it. Older events only say that all of it was. */
export function readRefunded(chargeId: string | null, { attributes }: LemonObject, asOf: Date): ProcessorFact {
  const amountCents = wholeCents(attributes.total);
  const refundedCents = wholeCents(attributes.refunded_amount ?? (attributes.refunded === true ? amountCents : null));
  const currency = idOf(attributes.currency)?.toUpperCase() ?? '';
  if (chargeId === null || amountCents === null || refundedCents === null) {
    return { kind: 'ignored', outcome: 'malformed' };
  }
  if (!isCurrency(currency)) return { kind: 'ignored', outcome: 'unknown_currency' };
  return { kind: 'charge', chargeId, paymentIntent: null, invoice: null, amountCents, refundedCents, currency, asOf };
}
