import { type Actor, type AuditEvent, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import { requeueEvent, requeueFailedEvents } from './event-store.ts';

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
