import type { ProcessorFact } from '../../processor-fact.ts';
import { idOf, timeOf } from '../fields.ts';
import { at, record } from '../payload.ts';
import type { EventEnvelope } from '../processor.ts';
import type { SignedRequest } from '../verify-signature.ts';
import { payerEvidence } from './evidence.ts';
import { readOrder } from './read-order.ts';
import { readRefund, readRefundedOrder } from './read-refund.ts';

/** Polar names the event in a header, which is signed too. */
export function readEnvelope(payload: unknown, { headers }: Pick<SignedRequest, 'headers'>): EventEnvelope | null {
  const id = idOf(headers['webhook-id']);
  const type = idOf(at(payload, 'type'));
  const happenedAt = timeOf(at(payload, 'timestamp'));
  if (id === null || type === null || happenedAt === null) return null;
  return { id, type, happenedAt, isLive: true };
}

/** Translates an event of Polar into a processor-independent fact. Never throws: unknown events are ignored. */
export function readPolarEvent(payload: unknown): ProcessorFact {
  const read = Object.entries(READERS).find(([type]) => type === at(payload, 'type'))?.[1];
  if (!read) return { kind: 'ignored', outcome: 'not_used' };
  const object = record(at(payload, 'data'));
  const id = idOf(object?.id);
  const happenedAt = timeOf(at(payload, 'timestamp'));
  if (object === null || id === null || happenedAt === null) return { kind: 'ignored', outcome: 'malformed' };
  return read(id, object, happenedAt);
}

type Read = (id: string, object: Record<string, unknown>, happenedAt: Date) => ProcessorFact;

const READERS: Record<string, Read> = {
  'order.paid': readOrder,
  'order.refunded': readRefundedOrder,
  'refund.created': readRefund,
  'refund.updated': readRefund,
  'customer.created': readCustomer,
  'customer.updated': readCustomer,
};

/** A customer that carries our metadata. What else is known of customers comes with their orders. */
function readCustomer(id: string, customer: Record<string, unknown>): ProcessorFact {
  const evidence = payerEvidence([customer.metadata], customer, { customer: id, subscription: null });
  const isOurs = evidence.clickId !== undefined || evidence.customerKey !== undefined;
  if (!isOurs) return { kind: 'ignored', outcome: 'not_used' };
  return { kind: 'identity', outcome: 'payer_known', evidence, paidBy: [], invoice: null };
}
