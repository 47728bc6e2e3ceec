import { errors } from '@svc/contract';
import { hasSecondFactor } from '../accounts/user-store.ts';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { queueMailToPartner } from '../mail/queue-mail.ts';
import {
  findPartnerMethodForUpdate,
  listPartnerMethods,
  type PartnerMethod,
  upsertLift,
} from '../payout-methods/payout-method-store.ts';
import type { Program } from '../programs/program.ts';
import type { Partner } from './partner-store.ts';

/** Lets the program pay to the changed method of a partner before its wait is over. The partner is told. */
export function liftPayoutWait(
  ctx: Context,
  program: Pick<Program, 'id' | 'workspaceId'>,
  partner: Pick<Partner, 'id' | 'name'>,
  { reason, seenUsableFrom }: { reason: string; seenUsableFrom: string | undefined },
  actor: Actor,
): Promise<PartnerMethod> {
  return ctx.db.transaction(async (tx) => {
    if (!actor.userId || !(await hasSecondFactor(tx, actor.userId))) throw errors.liftNeedsSecondFactor();
    const now = ctx.now();
    const held = await findPartnerMethodForUpdate(tx, program.id, partner.id);
    if (!held || held.usableFrom <= now) throw errors.payoutWaitOver();
    const { methodId, kind, masked, usableFrom } = held;
    if ((seenUsableFrom ?? usableFrom.toISOString()) !== usableFrom.toISOString()) throw errors.payoutMethodChanged();
    await upsertLift(tx, { programId: program.id, methodId, reason, liftedBy: actor.userId }, now);
    const event = {
      workspaceId: program.workspaceId,
      programId: program.id,
      actor,
      action: 'partner.payout_wait_lifted',
      subject: { type: 'partner', id: partner.id, name: partner.name },
      before: { usable_from: usableFrom.toISOString() },
      after: { payout_method: `${kind} ${masked}`, reason },
    } as const;
    await insertAuditEvent(tx, event, now);
    const cause = `${program.id} ${methodId} ${now.toISOString()}`;
    const mail = { kind: 'payout_wait_lifted', cause, programId: program.id, fields: { kind, masked } } as const;
    await queueMailToPartner(tx, ctx, partner.id, mail);
    const [lifted] = await listPartnerMethods(tx, program.id, [partner.id]);
    return lifted!;
  });
}
