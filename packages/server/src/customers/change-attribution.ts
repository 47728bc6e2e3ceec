import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { insertDecision } from '../decisions/decision-store.ts';
import { announce } from '../outbox/announce.ts';
import { findMember } from '../partners/partner-store.ts';
import type { Program } from '../programs/program.ts';
import { findCustomerForUpdate, updateAssigned } from './attribution-store.ts';
import { movedCustomers } from './customer-list-store.ts';

/** Which partner a customer is assigned to, why, and by whom. */
export type Assignment = { partnerId: number; reason: string; actor: Actor };

/**
 * Assigns a customer to a partner, no matter who referred them. Payments that are made from now on are credited to this partner; those
 * made before stay with the partner of their time, even if they are reported later.
 */
export function changeAttribution(
  ctx: Context,
  { id: programId, workspaceId }: Pick<Program, 'id' | 'workspaceId'>,
  customerId: number,
  { partnerId, reason, actor }: Assignment,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.now();
    const member = await findMember(tx, programId, partnerId);
    const customer = await findCustomerForUpdate(tx, programId, customerId);
    if (!customer || !member) throw errors.notFound();
    if (member.status !== 'active') throw errors.partnerNotActive();
    const { membershipId } = member;
    const moved = await updateAssigned(tx, [
      { id: customerId, partnerId, membershipId, assignedAt: latest(now, customer.assignedAt) },
    ]);
    const decisionId = await insertDecision(tx, {
      programId,
      kind: 'assignment',
      outcome: 'recorded',
      reason: 'customer_assigned',
      facts: { partner_before_id: customer.partnerId ?? undefined, assignment_reason: reason },
      source: 'person',
      customerId,
      partnerId,
      customerKey: customer.customerKey,
      requestId: actor.requestId,
      isTest: false,
      createdAt: now,
    });
    const subject = { type: 'customer', id: customerId } as const;
    const before = { partner_id: customer.partnerId };
    const after = { partner_id: partnerId, partner_name: member.name, reason };
    const event = { workspaceId, programId, actor, action: 'customer.assigned', subject, before, after } as const;
    await insertAuditEvent(tx, event, now);
    announce(ctx, tx, [movedCustomers(moved, () => decisionId)]);
  });
}

/** The clock of another node may be ahead. A person's word still holds from then on. */
const latest = (now: Date, assignedAt: Date | null) => (assignedAt && assignedAt > now ? assignedAt : now);
