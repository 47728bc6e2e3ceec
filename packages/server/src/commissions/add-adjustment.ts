import { errors, type ManualKind } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { queueMailToPartner } from '../mail/queue-mail.ts';
import { announce } from '../outbox/announce.ts';
import { findPartner } from '../partners/partner-store.ts';
import type { Program } from '../programs/program.ts';
import { COMMISSION_ROWS } from './commission-list-store.ts';
import { insertManualCommission } from './manual-commission-store.ts';

export type Adjustment = {
  partnerId: number;
  /** Negative to take something away. */
  cents: number;
  currency: string;
  reason: string;
  /** By default, a bonus if it adds something. */
  kind?: ManualKind | undefined;
};

/** Gives a partner a bonus or adjusts what they earned, approved at once, and tells them. Returns the commission's id. */
export function addAdjustment(
  ctx: Context,
  { id: programId, workspaceId }: Pick<Program, 'id' | 'workspaceId'>,
  { partnerId, cents, currency, reason, kind = cents > 0 ? 'bonus' : 'adjustment' }: Adjustment,
  actor: Actor,
): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const partner = await findPartner(tx, programId, partnerId);
    if (!partner) throw errors.notFound();
    const made = { kind, programId, partnerId, cents, currency, reason };
    const id = await insertManualCommission(tx, made, ctx.now());
    const subject = { type: 'commission', id, name: partner.name } as const;
    const after = { kind, partner_id: partnerId, amount_cents: cents, currency, reason };
    const event = { workspaceId, programId, actor, action: 'commission.adjusted', subject, after } as const;
    await insertAuditEvent(tx, event, ctx.now());
    const fields = { currency, amountCents: cents, isBonus: kind === 'bonus', reason };
    await queueMailToPartner(tx, ctx, partnerId, { kind: 'balance_adjusted', cause: String(id), programId, fields });
    announce(ctx, tx, [{ rows: COMMISSION_ROWS, events: [{ type: 'commission.created', programId, id }] }]);
    return id;
  });
}
