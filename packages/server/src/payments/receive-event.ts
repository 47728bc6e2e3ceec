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

/** Verifies an event with the processor's own library: the signature first, then that it is an event at all. */
export function checkEvent({ raw, signature }: SignedEvent, secret: string, now: Date): CheckResult {
  if (!signature) return { is: 'signature_invalid' };
  try {
    const receivedAt = now.getTime();
    const event = Stripe.webhooks.constructEvent(raw, signature, secret, TOLERANCE_SECONDS, undefined, receivedAt);
    const { id, type, created, livemode, account } = event as Partial<typeof event>;
    if (!isIdentifier(id) || !isIdentifier(type) || !isTime(created)) return { is: 'event_invalid' };
    const isLive = livemode === true;
    return {
      is: 'event',
      event: { id, type, created, livemode: isLive, account: isIdentifier(account) ? account : undefined, raw },
    };
  } catch (error) {
    const isForged = error instanceof Stripe.errors.StripeSignatureVerificationError;
    return { is: isForged ? 'signature_invalid' : 'event_invalid' };
  }
}

/** The program that the metadata of an event names, wherever the processor puts it. */
export function namedProgram({ id, type, created, livemode, raw }: CheckedEvent): number | undefined {
  const { data } = JSON.parse(raw.toString('utf8')) as { data?: unknown };
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
