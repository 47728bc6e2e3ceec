import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Program } from './program.ts';
import { findProgramForUpdate, type ProgramSettings, updateProgram } from './program-store.ts';
import { checkRate } from './rate.ts';

/**
 * Changes the settings that are given. The rate and its type are judged together, whichever of them changes. Other terms are
 * a new version, in force from now on.
 */
export function changeSettings(
  ctx: Context,
  programId: number,
  changes: ProgramSettings,
  userId: string,
): Promise<Program> {
  return ctx.db.transaction(async (tx) => {
    const before = await findProgramForUpdate(tx, programId);
    if (!before) throw errors.notFound();
    const { commissionType = before.commissionType, commissionRate = before.commissionRate } = changes;
    checkRate({ commissionType, commissionRate }, before);
    const newTerms = changesTerms(before, changes) ? { since: ctx.now(), madeBy: userId } : null;
    return updateProgram(tx, programId, changes, newTerms);
  });
}

/** The settings that make up a version of the terms, in a form that can be compared. */
const TERMS = {
  commissionType: String,
  commissionRate: Number,
  currency: String,
  recurringMonths: Number,
  holdDays: Number,
  commissionBase: String,
} satisfies Partial<Record<keyof ProgramSettings, (value: unknown) => unknown>>;

function changesTerms(before: Program, changes: ProgramSettings): boolean {
  const names = Object.keys(TERMS) as (keyof typeof TERMS)[];
  return names.some((name) => changes[name] !== undefined && TERMS[name](changes[name]) !== TERMS[name](before[name]));
}
