import { programReference } from '@svc/contract';
import Stripe from 'stripe';
import type { Encryption } from './encryption.ts';
import { insertEvent } from './event-store.ts';
import { isIdentifier, isTime } from './identifier-checks.ts';
import type { PaymentsContext } from './payments-context.ts';
import { readNamedProgram } from './processors/stripe/read-event.ts';

/** The maximum age of a signature. */
const TOLERANCE_SECONDS = 300;

export type SignedEvent = { raw: Buffer; signature: string | undefined };

export type CheckedEvent = {
  id: string;
  type: string;
  created: number;
  livemode: boolean;
  account?: string | undefined;
  raw: Buffer;
};

export type CheckResult = { is: 'event'; event: CheckedEvent } | { is: 'signature_invalid' } | { is: 'event_invalid' };

/** Verifies an event: the signature first, with the processor's own library, then that it is an event at all. */
export function checkEvent({ raw, signature }: SignedEvent, secret: string, now: Date): CheckResult {
  if (!signature) return { is: 'signature_invalid' };
  try {
    // `constructEvent` would refuse thin events, which are kept in order to say what to change.
    Stripe.webhooks.signature?.verifyHeader(raw, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime());
  } catch (error) {
    const isForged = error instanceof Stripe.errors.StripeSignatureVerificationError;
    return { is: isForged ? 'signature_invalid' : 'event_invalid' };
  }
  const event = readEnvelope(raw);
  return event ? { is: 'event', event } : { is: 'event_invalid' };
}

function readEnvelope(raw: Buffer): CheckedEvent | null {
  const parsed = parseJson(raw);
  const { id, type, livemode, account } = parsed;
  const created = parsed.object === 'v2.core.event' ? secondsOf(parsed.created) : parsed.created;
  if (!isIdentifier(id) || !isIdentifier(type) || !isTime(created)) return null;
  return { id, type, created, livemode: livemode === true, account: isIdentifier(account) ? account : undefined, raw };
}

function parseJson(raw: Buffer): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(raw.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Thin events have an ISO 8601 time, all others a number of seconds. */
function secondsOf(created: unknown): number {
  return Math.floor(Date.parse(String(created)) / 1000);
}

/** The program that the metadata of an event names, wherever the processor puts it. */
export function namedProgram({ id, type, created, livemode, raw }: CheckedEvent): number | undefined {
  const { data } = parseJson(raw);
  return programReference.parse(readNamedProgram({ id, type, created, livemode, data }));
}

/** Stores an event once per program and returns whether it was new to any of them. */
export async function receiveEvent(
  ctx: Pick<PaymentsContext, 'db' | 'now'> & { encryption: Encryption },
  programIds: number[],
  event: CheckedEvent,
): Promise<boolean> {
  const inserted = await insertEvent(
    ctx.db,
    {
      programIds,
      eventId: event.id,
      type: event.type,
      isLive: event.livemode,
      happenedAt: new Date(event.created * 1000),
      payloadSealed: ctx.encryption.seal(event.raw.toString('utf8')),
    },
    ctx.now(),
  );
  return inserted > 0;
}
