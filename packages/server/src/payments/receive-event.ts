import type { ProcessorName } from '@svc/contract';
import type { Encryption } from './encryption.ts';
import { insertEvent } from './event-store.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { EventEnvelope } from './processors/processor.ts';
import { processors } from './processors/processors.ts';
import type { SignedRequest } from './processors/verify-signature.ts';

/** An event whose signature was verified. */
export type VerifiedEvent = EventEnvelope & {
  provider: ProcessorName;
  payload: unknown;
  raw: Buffer;
  /** The position of the secret that signed it. */
  signedBy: number;
};

export type Verification =
  | { is: 'event'; event: VerifiedEvent }
  | { is: 'unsigned' }
  | { is: 'mismatch' }
  | { is: 'not_an_event' };

/** Verifies an event: the signature first, with the processor's own library, then that it is an event at all. */
export async function verifyEvent(
  provider: ProcessorName,
  request: SignedRequest,
  secrets: string[],
  now: Date,
): Promise<Verification> {
  const processor = processors[provider];
  const signature = await processor.verify(request, secrets, now);
  if (signature.is !== 'signed') return signature;
  const payload = parseJson(request.raw);
  const envelope = processor.readEnvelope(payload);
  if (!envelope) return { is: 'not_an_event' };
  return { is: 'event', event: { ...envelope, provider, payload, raw: request.raw, signedBy: signature.by } };
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return null;
  }
}

/** Stores an event once per program and returns whether it was new to any of them. */
export async function receiveEvent(
  ctx: Pick<PaymentsContext, 'db' | 'now'> & { encryption: Encryption },
  programIds: number[],
  event: VerifiedEvent,
): Promise<boolean> {
  const inserted = await insertEvent(
    ctx.db,
    {
      programIds,
      provider: event.provider,
      eventId: event.id,
      type: event.type,
      isLive: event.isLive,
      happenedAt: event.happenedAt,
      payloadSealed: ctx.encryption.seal(event.raw.toString('utf8')),
    },
    ctx.now(),
  );
  return inserted > 0;
}
