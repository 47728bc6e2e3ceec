import type { ProcessorFact } from '../../processor-fact.ts';
import { at, record } from '../payload.ts';
import type { EventEnvelope } from '../processor.ts';
import { payerEvidence } from './custom-data.ts';
import { idOf, timeOf } from './fields.ts';
import { readAdjustment } from './read-adjustment.ts';
import { readTransaction } from './read-transaction.ts';

/** The ids of events that Paddle's webhook simulator makes up. Nothing else tells them from real ones. */
const SIMULATED = 'ntfsimevt_';

export function readEnvelope(payload: unknown): EventEnvelope | null {
  const id = idOf(at(payload, 'event_id'));
  const type = idOf(at(payload, 'event_type'));
  const happenedAt = timeOf(at(payload, 'occurred_at'));
  if (id === null || type === null || happenedAt === null) return null;
  return { id, type, happenedAt, isLive: !id.startsWith(SIMULATED) };
}

/** Translates an event of Paddle Billing into a processor-independent fact. Never throws: unknown events are ignored. */
export function readPaddleEvent(payload: unknown): ProcessorFact {
  const type = String(at(payload, 'event_type'));
  const entity = type.slice(0, type.indexOf('.'));
  const isUsed =
    entity === 'transaction'
      ? isPayment(type)
      : ['adjustment', 'customer', 'subscription', 'discount'].includes(entity);
  if (!isUsed) return { kind: 'ignored', outcome: 'not_used' };
  const object = record(at(payload, 'data'));
  const id = idOf(object?.id);
  const happenedAt = timeOf(at(payload, 'occurred_at'));
  if (object === null || id === null || happenedAt === null) return { kind: 'ignored', outcome: 'malformed' };
  switch (entity) {
    case 'transaction':
      return readTransaction(id, object, happenedAt);
    case 'adjustment':
      return readAdjustment(id, object, happenedAt);
    case 'discount':
      return readDiscount(id, object);
    case 'customer':
      return readIdentity(object, [id]);
    default:
      return readIdentity(object, [id, idOf(object.customer_id)]);
  }
}

/** Transactions are reported from the first draft on. Only these events come after the payment. */
function isPayment(type: string): boolean {
  return type === 'transaction.paid' || type === 'transaction.completed';
}

/** A customer or a subscription that carries our custom data, or a customer's e-mail address. */
function readIdentity(object: Record<string, unknown>, ids: (string | null)[]): ProcessorFact {
  const evidence = payerEvidence(object, ids);
  const isOurs = evidence.clickId !== undefined || evidence.customerKey !== undefined || evidence.email !== undefined;
  if (!isOurs) return { kind: 'ignored', outcome: 'not_used' };
  return { kind: 'identity', outcome: 'payer_known', evidence, paidBy: [], invoice: null };
}

/** A discount that customers get with a code. Others have none. */
function readDiscount(id: string, { code }: Record<string, unknown>): ProcessorFact {
  const text = idOf(code);
  return text === null
    ? { kind: 'ignored', outcome: 'not_used' }
    : { kind: 'promotion_code', reference: id, code: text };
}
