import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Program } from './program.ts';
import { findProgramForUpdate, type ProgramSettings, updateProgram } from './program-store.ts';
import { checkRate } from './rate.ts';

/** Changes the settings that are given. The rate and its type are judged together, whichever of them changes. */
export function changeSettings(ctx: Context, programId: number, changes: ProgramSettings): Promise<Program> {
  return ctx.db.transaction(async (tx) => {
    const before = await findProgramForUpdate(tx, programId);
    if (!before) throw errors.notFound();
    const { commissionType = before.commissionType, commissionRate = before.commissionRate } = changes;
    checkRate({ commissionType, commissionRate }, before);
    return updateProgram(tx, programId, changes);
  });
}
