import { createHash } from 'node:crypto';
import type { ProcessorFact } from '../../processor-fact.ts';
import { idOf, timeOf } from '../fields.ts';
import { at } from '../payload.ts';
import type { EventEnvelope } from '../processor.ts';
import type { SignedRequest } from '../verify-signature.ts';
import { type LemonObject, objectOf, payerEvidence } from './evidence.ts';
import { nameOf } from './ids.ts';
import { readInvoice, readOrder, saleIdOf } from './read-payment.ts';
import { readRefunded } from './read-refund.ts';

/** Events have neither an id nor a time. The hash of the body is the one, the last change of their object the other. */
export function readEnvelope(payload: unknown, { raw }: Pick<SignedRequest, 'raw'>): EventEnvelope | null {
  const object = objectOf(payload);
  const type = idOf(at(at(payload, 'meta'), 'event_name'));
  const happenedAt = object && changedAt(object);
  if (object === null || type === null || !happenedAt) return null;
  const id = `sha256_${createHash('sha256').update(raw).digest('hex')}`;
  return { id, type, happenedAt, isLive: object.attributes.test_mode === false };
}

function changedAt({ attributes }: LemonObject): Date | null {
  return timeOf(attributes.updated_at) ?? timeOf(attributes.created_at);
}

/** Translates an event of Lemon Squeezy into a processor-independent fact. Never throws: unknown events are ignored. */
export function readLemonSqueezyEvent(payload: unknown): ProcessorFact {
  const read = Object.entries(READERS).find(([type]) => type === at(at(payload, 'meta'), 'event_name'))?.[1];
  if (!read) return { kind: 'ignored', outcome: 'not_used' };
  const object = objectOf(payload);
  const happenedAt = object && changedAt(object);
  if (!object || !happenedAt) return { kind: 'ignored', outcome: 'malformed' };
  return read(object, happenedAt);
}

const READERS: Record<string, (object: LemonObject, happenedAt: Date) => ProcessorFact> = {
  order_created: readOrder,
  order_refunded: (order, asOf) => readRefunded(nameOf('order', order.id), order, asOf),
  subscription_created: readSubscription,
  subscription_updated: readSubscription,
  subscription_payment_success: readInvoice,
  subscription_payment_refunded: (invoice, asOf) => readRefunded(saleIdOf(invoice), invoice, asOf),
};

/** A subscription names its order, which is another report of its first payment. Its e-mail address is on both of them too. */
function readSubscription(subscription: LemonObject): ProcessorFact {
  const id = nameOf('subscription', subscription.id);
  const order = nameOf('order', subscription.attributes.order_id);
  if (id === null) return { kind: 'ignored', outcome: 'malformed' };
  const paidBy = order === null ? [] : [{ reference: order, amountCents: null }];
  const evidence = { ...payerEvidence(subscription, id), email: undefined };
  const isOurs = evidence.clickId !== undefined || evidence.customerKey !== undefined;
  if (!isOurs) return { kind: 'link', invoice: id, paidBy, codeFrom: order };
  return { kind: 'identity', outcome: 'payer_known', evidence, paidBy, invoice: id, codeFrom: order };
}
