import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { announce } from '../outbox/announce.ts';
import { movedCommissions } from './commission-list-store.ts';
import { updateHoldEnded } from './commission-store.ts';

/**
 * Approves commissions whose hold has ended, at most `limit`, and returns how many. The audit log says how many it were in each
 * program; every commission itself says when it was approved.
 */
export function approveEndedHolds(ctx: Context, limit: number, actor: Actor): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const programs = await updateHoldEnded(tx, ctx.now(), limit);
    for (const { programId, workspaceId, approved } of programs) {
      const subject = { type: 'commission', id: approved[0]!.id } as const;
      const after = { count: approved.length, reason: 'hold_ended' };
      const event = { workspaceId, programId, actor, action: 'commission.approved', subject, after } as const;
      await insertAuditEvent(tx, event, ctx.now());
    }
    const announced = programs.map(({ programId, approved }) =>
      movedCommissions('commission.approved', programId, approved),
    );
    announce(ctx, tx, announced);
    return programs.reduce((sum, { approved }) => sum + approved.length, 0);
  });
}
