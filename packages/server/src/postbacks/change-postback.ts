import { errors, fillPostback, type PostbackRow, SAMPLE_POSTBACK } from '@svc/contract';
import { type Actor, type AuditEvent, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { CallOut } from '../outbound/call-out.ts';
import { findPartnerAccount } from '../partners/partner-account-store.ts';
import type { Program } from '../programs/program.ts';
import { deletePostback, findPostback, type NewPostback, upsertPostback } from './postback-store.ts';

export type PostbackContext = Context & { callOut: CallOut };

/** A partner in a program, by their own account. */
export type PartnerInProgram = { program: Pick<Program, 'id' | 'workspaceId'>; partnerId: number; userId: string };

const ownerOf = ({ program, partnerId, userId }: PartnerInProgram) => ({ programId: program.id, partnerId, userId });

/** Sets up the postback of a partner, or changes it. An active one starts anew: failures so far are forgotten. */
export function savePostback(
  ctx: PostbackContext,
  partner: PartnerInProgram,
  asked: NewPostback,
  actor: Actor,
): Promise<PostbackRow> {
  const problem = ctx.callOut.problemOf(fillPostback(asked.url, SAMPLE_POSTBACK));
  if (problem) throw errors.webhookUrl(problem);
  return ctx.db.transaction(async (tx) => {
    // Locks the partner, so that a hand-over comes either before or after.
    const { userId, name } = await findPartnerAccount(tx, partner.partnerId);
    if (userId !== partner.userId) throw errors.notFound();
    const before = await findPostback(tx, ownerOf(partner));
    await upsertPostback(tx, ownerOf(partner), asked, ctx.now());
    const changed = { ...about(partner, name, actor), action: 'postback.changed' as const, after: settingsOf(asked) };
    await insertAuditEvent(tx, { ...changed, ...(before && { before: settingsOf(before) }) }, ctx.now());
    return (await findPostback(tx, ownerOf(partner)))!;
  });
}

export function removePostback(ctx: Context, partner: PartnerInProgram, actor: Actor): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const { name } = await findPartnerAccount(tx, partner.partnerId);
    const gone = await deletePostback(tx, ownerOf(partner));
    if (!gone) return;
    const event = { ...about(partner, name, actor), action: 'postback.deleted' as const };
    await insertAuditEvent(tx, { ...event, before: settingsOf(gone) }, ctx.now());
  });
}

/** The brand reads the audit log too, and URLs of postbacks contain the secrets of partners. */
const settingsOf = ({ method, status }: Pick<PostbackRow, 'method' | 'status'>) => ({ method, status });

function about(
  { program, partnerId }: PartnerInProgram,
  name: string | null,
  actor: Actor,
): Omit<AuditEvent, 'action'> {
  const subject = { type: 'partner', id: partnerId, name } as const;
  return { workspaceId: program.workspaceId, programId: program.id, actor, subject };
}
