import { errors, type MembershipStatus } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { queueMailToPartner } from '../mail/queue-mail.ts';
import { announce } from '../outbox/announce.ts';
import { readRows } from '../outbox/outbox-store.ts';
import { findMailOpenings } from '../programs/mail-opening-store.ts';
import type { Program } from '../programs/program.ts';
import { findProgram } from '../programs/program-store.ts';
import { changeDetails, type NewDetails } from './change-details.ts';
import { describeOffer } from './describe-offer.ts';
import { changePlacement, type NewPlacement } from './groups/change-placement.ts';
import { createFirstLink } from './links/create-first-link.ts';
import { PARTNER_ROWS } from './partner-list-store.ts';
import { findMembershipForUpdate, type Partner, updateMembershipStatus } from './partner-store.ts';

export type MembershipChanges = NewPlacement &
  NewDetails & {
    status?: MembershipStatus | undefined;
    /** The status that the partner has to have now, if that matters. */
    from?: MembershipStatus | undefined;
  };

type ChangedProgram = Pick<Program, 'id' | 'workspaceId'>;

/**
 * Approves, declines, blocks, removes or reinstates a partner, moves them to another group, or changes how the brand knows them. A
 * partner who is approved gets a first link.
 */
export function changeMembership(
  ctx: Context,
  program: ChangedProgram,
  partner: Partner,
  changes: MembershipChanges,
  actor: Actor,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const outcome = await changeMembershipIn(tx, ctx, program, partner, changes, actor);
    if (outcome === 'not_found') throw errors.notFound();
  });
}

/** The same as a part of a transaction. Says what became of it: `done`, or why nothing was changed. */
export async function changeMembershipIn(
  tx: Transaction,
  ctx: Context,
  program: ChangedProgram,
  { id: partnerId, name, hasAccount }: Partner,
  { from, ...changes }: MembershipChanges,
  actor: Actor,
): Promise<'done' | 'unchanged' | 'not_found' | MembershipStatus> {
  const known = await findMembershipForUpdate(tx, program.id, partnerId);
  if (known === null) return 'not_found';
  const { status: before, externalId } = known;
  if (from !== undefined && before !== from) return before;
  const { status = before } = changes;
  const rows = await readRows(tx, PARTNER_ROWS, [{ programId: program.id, id: partnerId }]);
  const placed = await changePlacement(tx, program.id, partnerId, changes, ctx.now());
  const details = await changeDetails(tx, program.id, { id: partnerId, name, externalId }, changes, actor);
  const isStatus = before !== status;
  if (!isStatus && !placed && !details) return 'unchanged';
  const event = {
    workspaceId: program.workspaceId,
    programId: program.id,
    actor,
    action: isStatus ? 'partner.status_changed' : placed ? 'partner.group_changed' : 'partner.changed',
    subject: { type: 'partner', id: partnerId, name },
    before: { ...(isStatus && { status: before }), ...placed?.before, ...details?.before },
    after: { ...(isStatus && { status }), ...placed?.after, ...details?.after },
  } as const;
  await insertAuditEvent(tx, event, ctx.now());
  if (isStatus) await updateMembershipStatus(tx, program.id, partnerId, status);
  // Names, ids of the brand and recruiters are not announced.
  if (isStatus || placed?.after.group_id !== undefined) {
    const type = before === 'applied' && status === 'active' ? 'partner.joined' : 'partner.changed';
    const announced = { type, programId: program.id, id: partnerId, before: rows.get(partnerId) } as const;
    announce(ctx, tx, [{ rows: PARTNER_ROWS, events: [announced] }]);
  }
  if (isStatus && before === 'applied') {
    const kind = status === 'active' ? 'application_approved' : 'application_declined';
    const cause = `${program.id} ${partnerId} ${ctx.now().toISOString()}`;
    const offered = status === 'active' ? await findProgram(tx, program.id) : null;
    const opening = offered && (await findMailOpenings(tx, program.id)).welcome;
    const earnings = offered ? { earnings: await describeOffer(tx, ctx, { program: offered, partnerId }) } : {};
    const fields = { ...earnings, ...(opening && { opening }) };
    await queueMailToPartner(tx, ctx, partnerId, { kind, cause, programId: program.id, fields });
  }
  if (isStatus && status === 'active' && hasAccount) {
    await createFirstLink(tx, ctx, { programId: program.id, partnerId });
  }
  return 'done';
}
