import { errors, type ProgramStatus } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Program } from './program.ts';
import { findProgramUseForUpdate, updateProgramDeleted, updateProgramStatus } from './program-status-store.ts';
import { findProgramForUpdate } from './program-store.ts';

/** Pauses, archives or resumes the program. Each change can be undone and is in the audit trail. */
export function changeProgramStatus(
  ctx: Context,
  program: Program,
  status: ProgramStatus,
  actor: Actor,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const before = await findProgramForUpdate(tx, program.id);
    if (!before) throw errors.notFound();
    if (before.status === status) return;
    await updateProgramStatus(tx, program.id, status);
    const changed = { before: { status: before.status }, after: { status } };
    await insertAuditEvent(tx, { ...about(program, actor), action: 'program.status_changed', ...changed }, ctx.now());
  });
}

/** Deletes a program that nobody takes part in, for good. Others are archived instead. */
export function deleteProgram(ctx: Context, program: Program, actor: Actor): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const use = await findProgramUseForUpdate(tx, program.id);
    if (!use) throw errors.notFound();
    if (use.isInUse) throw errors.programInUse();
    await updateProgramDeleted(tx, program.id, ctx.now());
    const before = { name: program.name, domain: program.domain };
    await insertAuditEvent(tx, { ...about(program, actor), action: 'program.deleted', before }, ctx.now());
  });
}

function about({ id, workspaceId, name }: Program, actor: Actor) {
  return { workspaceId, programId: id, actor, subject: { type: 'program', id, name } } as const;
}
