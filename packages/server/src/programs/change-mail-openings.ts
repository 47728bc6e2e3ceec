import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { changedFields } from '../audit/changed-fields.ts';
import type { Context } from '../context.ts';
import { findMailOpenings, type MailOpenings, updateMailOpenings } from './mail-opening-store.ts';
import type { Program } from './program.ts';
import { findProgramForUpdate } from './program-store.ts';

export type OpeningChanges = { [Name in keyof MailOpenings]?: MailOpenings[Name] | undefined };

/** Changes what is given. Mails that are queued already keep their words. */
export function changeMailOpenings(
  ctx: Context,
  { id: programId, workspaceId }: Pick<Program, 'id' | 'workspaceId'>,
  changes: OpeningChanges,
  actor: Actor,
): Promise<MailOpenings> {
  return ctx.db.transaction(async (tx) => {
    const program = await findProgramForUpdate(tx, programId);
    if (!program) throw errors.notFound();
    const before = await findMailOpenings(tx, programId);
    const { invitation = before.invitation, welcome = before.welcome } = changes;
    const openings = { invitation, welcome };
    const changed = changedFields(before, openings);
    if (!changed) return before;
    await updateMailOpenings(tx, programId, openings);
    const subject = { type: 'program', id: programId, name: program.name } as const;
    const event = { workspaceId, programId, actor, action: 'program.mails_changed', subject, ...changed } as const;
    await insertAuditEvent(tx, event, ctx.now());
    return openings;
  });
}
