import type { ProcessorName } from '@svc/contract';
import { type Actor, type AuditEvent, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Encryption } from '../../encryption.ts';
import type { Program } from '../../programs/program.ts';
import type { PaymentsContext } from '../payments-context.ts';
import type { EventEnvelope } from '../processors/processor.ts';
import { processors } from '../processors/processors.ts';
import type { SignedRequest } from '../processors/verify-signature.ts';
import { insertEvent, requeueEvent, requeueFailedEvents } from './event-store.ts';

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
  | { is: 'too_old' }
  | { is: 'not_an_event' };

/** Verifies an event: the signature first, then that it is an event at all. */
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
  const envelope = processor.readEnvelope(payload, request);
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

type ReplayedProgram = Pick<Program, 'id' | 'workspaceId'>;

/** Queues an event again, whatever its outcome was. False when it does not exist or its content was purged. */
export function replayEvent(ctx: Context, program: ReplayedProgram, eventId: number, actor: Actor): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const provider = await requeueEvent(tx, program.id, eventId, ctx.now());
    if (provider === null) return false;
    const after = { count: 1, event_id: eventId };
    await insertAuditEvent(tx, { ...about(program, provider, actor), after }, ctx.now());
    return true;
  });
}

/** Queues all events again whose retries have run out, and returns how many. Each program has a row in its audit log. */
export function replayFailedEvents(ctx: Context, actor: Actor): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const programs = await requeueFailedEvents(tx, ctx.now());
    for (const { programId: id, workspaceId, provider, count } of programs) {
      await insertAuditEvent(tx, { ...about({ id, workspaceId }, provider, actor), after: { count } }, ctx.now());
    }
    return programs.reduce((sum, { count }) => sum + count, 0);
  });
}

function about({ id, workspaceId }: ReplayedProgram, provider: string, actor: Actor): AuditEvent {
  const subject = { type: 'processor', id: provider } as const;
  return { workspaceId, programId: id, actor, action: 'processor.event_replayed', subject };
}
