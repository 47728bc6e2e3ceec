import { errors, MAX_ORIGINS } from '@svc/contract';
import { type Actor, type AuditEvent, insertAuditEvent } from '../audit/audit-store.ts';
import { type ChangedFields, changedFields } from '../audit/changed-fields.ts';
import type { Context } from '../context.ts';
import { announce } from '../outbox/announce.ts';
import { readRows } from '../outbox/outbox-store.ts';
import type { Program } from './program.ts';
import { findProgramForUpdate, type ProgramSettings, updateProgram } from './program-store.ts';
import { TERMS_ROWS, updateBegunTerms } from './program-terms-store.ts';
import { checkRate } from './rate.ts';

/**
 * Changes the settings that are given. The rate and its type are judged together, whichever of them changes. Other terms are
 * a new version, in force from now on.
 */
export function changeSettings(
  ctx: Context,
  programId: number,
  { addOrigins, ...settings }: ProgramSettings & { addOrigins?: string[] | undefined },
  actor: Actor & { userId: string },
): Promise<Program> {
  return ctx.db.transaction(async (tx) => {
    await updateBegunTerms(tx, ctx.now(), programId);
    const before = await findProgramForUpdate(tx, programId);
    if (!before) throw errors.notFound();
    const changes = addOrigins ? { ...settings, allowedOrigins: originsWith(before, settings, addOrigins) } : settings;
    const { commissionType = before.commissionType, commissionRate = before.commissionRate } = changes;
    checkRate({ commissionType, commissionRate }, before);
    const newTerms = changesTerms(before, changes) ? { since: ctx.now(), madeBy: actor.userId } : null;
    const [scheduled] = before.scheduledTerms;
    // The scheduled version has the settings of today, so it would undo the change.
    if (newTerms && scheduled) throw errors.termsScheduled(scheduled.version, new Date(scheduled.since));
    const terms = { programId, id: before.termsVersion };
    const rows = newTerms ? await readRows(tx, TERMS_ROWS, [terms]) : null;
    const program = await updateProgram(tx, programId, changes, newTerms);
    const changed = changedFields(settingsOf(before, changes), settingsOf(program, changes));
    if (changed) await insertAuditEvent(tx, settingsEvent(program, changed, actor), ctx.now());
    if (rows) {
      const event = { ...terms, type: 'terms.changed', id: program.termsVersion, before: rows.get(terms.id) } as const;
      announce(ctx, tx, [{ rows: TERMS_ROWS, events: [event] }]);
    }
    return program;
  });
}

/** The origins of the locked program, or those that replace them, and the added ones. */
function originsWith(before: Program, { allowedOrigins = before.allowedOrigins }: ProgramSettings, added: string[]) {
  const origins = [...new Set([...allowedOrigins, ...added])];
  if (origins.length > MAX_ORIGINS) throw errors.tooManyOrigins(MAX_ORIGINS);
  return origins;
}

/** Those of the program's settings that the request names. */
function settingsOf(program: Program, changes: ProgramSettings): Partial<Program> {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name]) => [name, program[name as keyof ProgramSettings]]));
}

function settingsEvent({ id, workspaceId, name }: Program, changed: ChangedFields, actor: Actor): AuditEvent {
  const subject = { type: 'program', id, name } as const;
  return { workspaceId, programId: id, actor, action: 'program.settings_changed', subject, ...changed };
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
