import { type AuditAction, errors, MAX_LOGO_PIXELS } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { changedFields } from '../audit/changed-fields.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import {
  type Agreement,
  findAgreement,
  insertAgreement,
  type JoinPageChanges,
  replaceLogo,
  updateJoinPage,
  updateWithoutAgreement,
} from './join-page-store.ts';
import { type Logo, logoIn } from './logo.ts';
import type { Program } from './program.ts';
import { findProgramForUpdate } from './program-store.ts';

/** The program with its look and questions, and its agreement. */
export type JoinPage = { program: Program; agreement: Agreement | null };

/**
 * Changes what is given. Another text of the agreement becomes a new version; the same text does not. Changes are judged one
 * at a time.
 */
export function changeJoinPage(
  ctx: Context,
  programId: number,
  { agreement, ...changes }: JoinPageChanges & { agreement?: string | null },
  actor: Actor & { userId: string },
): Promise<JoinPage> {
  return changeLocked(ctx, programId, 'program.join_page_changed', actor, async (tx) => {
    await updateJoinPage(tx, programId, changes);
    const current = await findAgreement(tx, programId);
    if (agreement === null && current) await updateWithoutAgreement(tx, programId);
    if (agreement && agreement !== current?.text) {
      await insertAgreement(tx, programId, { text: agreement, madeBy: actor.userId }, ctx.now());
    }
  });
}

/** Replaces the logo with an image, or removes it. */
export function changeLogo(
  ctx: Context,
  programId: number,
  contentBase64: string | null,
  actor: Actor,
): Promise<JoinPage> {
  const logo = contentBase64 === null ? null : requireLogo(contentBase64);
  return changeLocked(ctx, programId, 'program.logo_changed', actor, (tx) =>
    replaceLogo(tx, programId, logo, ctx.now()),
  );
}

/** A small file can hold an image that takes gigabytes of memory to show. */
function requireLogo(contentBase64: string): Logo {
  const found = logoIn(contentBase64);
  if (!found) throw errors.logoNotAnImage();
  const { width, height } = found.size;
  if (Math.max(width, height) > MAX_LOGO_PIXELS) throw errors.logoTooLarge(width, height, MAX_LOGO_PIXELS);
  return found.logo;
}

function changeLocked(
  ctx: Context,
  programId: number,
  action: AuditAction,
  actor: Actor,
  change: (tx: Queryable) => Promise<unknown>,
): Promise<JoinPage> {
  return ctx.db.transaction(async (tx) => {
    const before = await findProgramForUpdate(tx, programId);
    if (!before) throw errors.notFound();
    await change(tx);
    const program = (await findProgramForUpdate(tx, programId)) as Program;
    const changed = changedFields(lookOf(before), lookOf(program));
    if (changed) {
      const subject = { type: 'program', id: programId, name: program.name } as const;
      const event = { workspaceId: program.workspaceId, programId, actor, action, subject, ...changed };
      await insertAuditEvent(tx, event, ctx.now());
    }
    return { program, agreement: await findAgreement(tx, programId) };
  });
}

/** What the join page consists of. Texts of agreements have versions of their own. */
const lookOf = ({ brandColor, questions, agreementVersion, logoName }: Program) => ({
  brandColor,
  questions,
  agreementVersion,
  logoName,
});
