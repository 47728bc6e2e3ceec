import { errors, type MembershipStatus } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { queueMailToPartner } from '../mail/queue-mail.ts';
import type { Program } from '../programs/program.ts';
import { createFirstLink } from './create-first-link.ts';
import { findMembershipForUpdate, type Partner, updateMembershipStatus } from './partner-store.ts';

/** Approves, declines, blocks, removes or reinstates a partner. A partner who is approved gets a first link. */
export function changeMembership(
  ctx: Context,
  program: Pick<Program, 'id' | 'workspaceId'>,
  { id: partnerId, name, hasAccount }: Partner,
  status: MembershipStatus,
  actor: Actor,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const before = await findMembershipForUpdate(tx, program.id, partnerId);
    if (before === null) throw errors.notFound();
    if (before === status) return;
    await updateMembershipStatus(tx, program.id, partnerId, status);
    const event = {
      workspaceId: program.workspaceId,
      programId: program.id,
      actor,
      action: 'partner.status_changed',
      subject: { type: 'partner', id: partnerId, name },
      before: { status: before },
      after: { status },
    } as const;
    await insertAuditEvent(tx, event, ctx.now());
    if (before === 'applied') {
      const kind = status === 'active' ? 'application_approved' : 'application_declined';
      const cause = `${program.id} ${partnerId} ${ctx.now().toISOString()}`;
      await queueMailToPartner(tx, ctx, partnerId, { kind, cause, programId: program.id, fields: {} });
    }
    if (status === 'active' && hasAccount) {
      await createFirstLink(tx, { programId: program.id, partnerId, name }, ctx.now());
    }
  });
}
