import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Program } from './program.ts';
import { renewJoinToken } from './program-store.ts';

/** Replaces the join link; the previous one stops working immediately. */
export function changeJoinLink(ctx: Context, programId: number, actor: Actor): Promise<Program> {
  return ctx.db.transaction(async (tx) => {
    const program = await renewJoinToken(tx, programId);
    const { workspaceId, name } = program;
    const subject = { type: 'program', id: programId, name } as const;
    const action = 'program.join_link_renewed';
    await insertAuditEvent(tx, { workspaceId, programId, actor, action, subject }, ctx.now());
    return program;
  });
}
