import Stripe from 'stripe';
import type { SecretBox } from '../programs/secret-box.ts';
import { insertEvent } from './inbox-store.ts';
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

/** Checks the signature with the processor's own library. Null when it is missing, forged or stale. */
export function checkSignature({ raw, signature }: SignedEvent, secret: string, now: Date): CheckedEvent | null {
  if (!signature) return null;
  try {
    const { id, type, created, livemode, account } = Stripe.webhooks.constructEvent(
      raw,
      signature,
      secret,
      TOLERANCE_SECONDS,
      undefined,
      now.getTime(),
    );
    const isComplete = typeof id === 'string' && typeof type === 'string' && Number.isSafeInteger(created);
    return isComplete ? { id, type, created, livemode: livemode === true, account: account ?? undefined, raw } : null;
  } catch {
    return null;
  }
}

/** Stores an event once for each of the programs. Says whether any of them had not known it. */
export async function receiveEvent(
  ctx: Pick<PaymentsContext, 'db' | 'now'> & { secretBox: SecretBox },
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
      payloadSealed: ctx.secretBox.seal(event.raw.toString('utf8')),
    },
    ctx.now(),
  );
  return inserted > 0;
}
