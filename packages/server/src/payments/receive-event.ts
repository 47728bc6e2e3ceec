import Stripe from 'stripe';
import type { Encryption } from './encryption.ts';
import { insertEvent } from './event-store.ts';
import { isIdentifier, isTime } from './identifier-checks.ts';
import type { PaymentsContext } from './payments-context.ts';

/** How old a signature may be. */
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

export type Check = { is: 'event'; event: CheckedEvent } | { is: 'signature_invalid' } | { is: 'event_invalid' };

/** Checks an event with the processor's own library: first who signed it, then whether it is one. */
export function checkEvent({ raw, signature }: SignedEvent, secret: string, now: Date): Check {
  if (!signature) return { is: 'signature_invalid' };
  try {
    const received = now.getTime();
    const sent = Stripe.webhooks.constructEvent(raw, signature, secret, TOLERANCE_SECONDS, undefined, received);
    const { id, type, created, livemode, account } = sent as Partial<typeof sent>;
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

/** Stores an event once for each of the programs. Says whether any of them had not known it. */
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
