import { type Actor, type AuditEvent, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import type { Program } from '../programs/program.ts';

export type PaidProgram = Pick<Program, 'id' | 'workspaceId'>;

type RunAction = Extract<AuditEvent['action'], `payout_run.${string}`>;

/** A run as the audit log names it. */
const runSubject = ({ id, number }: { id: number; number: number }) =>
  ({ type: 'payout_run', id, name: `payout run ${number}` }) as const;

/** Adds what a person did with a run to the audit log. */
export function auditRun(
  tx: Queryable,
  { now }: Pick<Context, 'now'>,
  { id: programId, workspaceId }: PaidProgram,
  run: { id: number; number: number },
  { action, actor, after = {} }: { action: RunAction; actor: Actor; after?: Record<string, unknown> },
): Promise<void> {
  return insertAuditEvent(tx, { workspaceId, programId, actor, action, subject: runSubject(run), after }, now());
}
