import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { announce } from '../outbox/announce.ts';
import { COMMISSION_ROWS } from './commission-list-store.ts';
import { updateHoldEnded } from './commission-store.ts';

/**
 * Approves commissions whose hold has ended, at most `limit`, and returns how many. The audit log says how many it were in each
 * program; every commission itself says when it was approved.
 */
export function approveEndedHolds(ctx: Context, limit: number, actor: Actor): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const programs = await updateHoldEnded(tx, ctx.now(), limit);
    for (const { programId, workspaceId, ids } of programs) {
      const subject = { type: 'commission', id: ids[0]! } as const;
      const after = { count: ids.length, reason: 'hold_ended' };
      const event = { workspaceId, programId, actor, action: 'commission.approved', subject, after } as const;
      await insertAuditEvent(tx, event, ctx.now());
    }
    const events = programs.flatMap(({ programId, ids }) =>
      ids.map((id) => ({ type: 'commission.approved' as const, programId, id, previous: { stage: 'pending' } })),
    );
    await announce(ctx, tx, [{ rows: COMMISSION_ROWS, events }]);
    return events.length;
  });
}
