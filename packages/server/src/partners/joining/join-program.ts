import { type Answer, errors, type MembershipStatus } from '@svc/contract';
import { findUser, type User } from '../../accounts/user-store.ts';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Queryable, Transaction } from '../../db/db.ts';
import { queueMailToAll } from '../../mail/queue-mail.ts';
import { listPartnerManagerIds } from '../../mail/recipient-store.ts';
import { announce } from '../../outbox/announce.ts';
import type { Program } from '../../programs/program.ts';
import { findProgram } from '../../programs/program-store.ts';
import { createFirstLink } from '../links/create-first-link.ts';
import { PARTNER_ROWS } from '../partner-list-store.ts';
import { findMembershipForUpdate } from '../partner-store.ts';
import { type AcceptedVersion, acceptAgreements } from './accept-agreements.ts';
import { checkAnswers } from './answers.ts';
import { findProgramByJoinToken, insertJoiningPartner, insertMembership } from './joining-store.ts';

/** Whether the token is from a program's join link, and not from an invitation. */
export function isJoinToken(token: string): boolean {
  return token.startsWith('svc_join_');
}

export type JoinableProgram = { program: Program; workspace: string; needsApproval: boolean };

export async function requireJoinableProgram(ctx: Context, token: string): Promise<JoinableProgram> {
  const found = await findProgramByJoinToken(ctx.db, token);
  const program = found && (await findProgram(ctx.db, found.programId));
  if (!program) throw errors.joiningClosed();
  if (program.status === 'paused') throw errors.joiningPaused();
  return { program, workspace: found.workspace, needsApproval: program.joining === 'on_approval' };
}

/** What the applicant filled in on the join page. */
export type Application = { answers: Answer[]; agreements: AcceptedVersion[] };

/** The accepting account. */
type Applicant = { id: string; actor: Actor };

/**
 * Makes the account a partner of the program, with a first link, or an applicant. Repeated calls return the current status and
 * ask for nothing.
 */
export async function joinProgram(
  ctx: Context,
  applicant: Applicant,
  token: string,
  application: Application,
): Promise<{ workspaceId: number; status: 'applied' | 'active' }> {
  const { program, needsApproval } = await requireJoinableProgram(ctx, token);
  const user = await findUser(ctx.db, applicant.id);
  if (!user) throw errors.notSignedIn();
  return ctx.db.transaction(async (tx) => {
    const partnerId = await insertJoiningPartner(tx, program.workspaceId, user, ctx.now());
    // E-mail addresses are not verified, so an account cannot take over the partner that the brand added with the same one.
    if (partnerId === null) throw errors.partnerKnown();
    const known = await findMembershipForUpdate(tx, program.id, partnerId);
    const newStatus = needsApproval ? 'applied' : 'active';
    const isNew =
      (known === null || known.isEndedByUndo) &&
      (await apply(ctx, tx, { program, partnerId, status: newStatus, user }, application));
    if (isNew) await noteApplication(tx, program, { partnerId, name: user.name }, newStatus, applicant, ctx.now());
    if (isNew && needsApproval) await mailApplication(tx, ctx, program, { partnerId, partnerName: user.name });
    const joined = isNew ? null : await findMembershipForUpdate(tx, program.id, partnerId);
    return { workspaceId: program.workspaceId, status: isNew ? newStatus : requireOpen(joined?.status ?? null) };
  });
}

type NewApplication = { program: Program; partnerId: number; status: 'applied' | 'active'; user: User };

/** Stores the application; false when a concurrent request of the same account has stored it. */
async function apply(
  ctx: Context,
  tx: Transaction,
  { program, partnerId, status, user }: NewApplication,
  { answers, agreements }: Application,
): Promise<boolean> {
  const now = ctx.now();
  const checked = checkAnswers(program.questions, answers);
  const membership = { programId: program.id, partnerId, status, answers: checked };
  if (!(await insertMembership(tx, membership, now))) return false;
  const joined = { programId: program.id, name: program.name, agreementVersion: program.agreementVersion };
  await acceptAgreements(tx, { partnerId, userId: user.id, joined: [joined] }, agreements, now);
  const type = status === 'active' ? 'partner.joined' : 'partner.applied';
  announce(ctx, tx, [{ rows: PARTNER_ROWS, events: [{ type, programId: program.id, id: partnerId }] }]);
  if (status === 'active') await createFirstLink(tx, ctx, { programId: program.id, partnerId });
  return true;
}

async function mailApplication(
  tx: Queryable,
  ctx: Context,
  { id: programId, workspaceId }: Program,
  fields: { partnerId: number; partnerName: string },
): Promise<void> {
  if (!ctx.mail) return;
  const mail = { kind: 'application_received', cause: `${programId} ${fields.partnerId}`, programId, fields } as const;
  await queueMailToAll(tx, ctx, await listPartnerManagerIds(tx, workspaceId), mail);
}

function noteApplication(
  tx: Queryable,
  program: Program,
  { partnerId, name }: { partnerId: number; name: string },
  status: 'applied' | 'active',
  { actor }: Applicant,
  now: Date,
): Promise<void> {
  const event = {
    workspaceId: program.workspaceId,
    programId: program.id,
    actor,
    action: status === 'applied' ? 'partner.applied' : 'partner.joined',
    subject: { type: 'partner', id: partnerId, name },
    after: { status },
  } as const;
  return insertAuditEvent(tx, event, now);
}

function requireOpen(status: MembershipStatus | null): 'applied' | 'active' {
  if (status === null) throw errors.joiningClosed();
  if (status === 'blocked' || status === 'removed') throw errors.membershipEnded();
  return status;
}
