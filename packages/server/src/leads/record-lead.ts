import { parseClickId } from '../clicks/click-id.ts';
import { isRefusedStatement, isUniqueViolation, lostToAnother } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import type { TrackingContext } from '../tracking-context.ts';
import {
  judgeLead,
  type LeadAttempt,
  type LeadCaller,
  type LeadFacts,
  type LeadOutcome,
  type NewLead,
} from './lead.ts';
import { findForLeads } from './lead-facts-store.ts';
import { type LeadWrite, writeLeads } from './lead-store.ts';
import { type JudgedLead, leadToWrite, outcomeOf, takeTurns } from './prepare-lead.ts';

/** Records a signup. */
export function recordLead(ctx: TrackingContext, caller: LeadCaller, lead: NewLead): Promise<LeadOutcome> {
  return ctx.leads.submit({ caller, lead });
}

const MAX_ROUNDS = 5;

type LeadsContext = Omit<TrackingContext, 'leads' | 'sales' | 'clicks'>;
type OpenLead = { attempt: LeadAttempt; position: number };

/**
 * Records a group of signups. What was looked up may change before it is written; then the write does nothing and the lead
 * is judged anew, so that of several at once exactly one is recorded. One that fails harms none of the others.
 */
export async function recordLeads(ctx: LeadsContext, attempts: LeadAttempt[]): Promise<(LeadOutcome | Error)[]> {
  const outcomes: (LeadOutcome | Error)[] = attempts.map(() => new Error('The customer of a lead kept changing'));
  let open: OpenLead[] = attempts.map((attempt, position) => ({ attempt, position }));
  for (let lostRounds = 0; open.length > 0 && lostRounds < MAX_ROUNDS; ) {
    const judged = await judgeAll(ctx, open).catch((error: Error) => error);
    if (judged instanceof Error) {
      for (const { position } of open) outcomes[position] = judged;
      break;
    }
    const { now, later } = takeTurns(judged.known);
    for (const { position } of judged.unknown) outcomes[position] = { is: 'refused', reason: 'customer_not_found' };
    const written = await writeAll(
      ctx,
      now.map((lead) => leadToWrite(ctx, lead)),
    );
    const lost = now.filter((lead, index) => {
      const result = written[index] ?? null;
      if (result !== null) outcomes[lead.position] = result instanceof Error ? result : outcomeOf(lead, result);
      return result === null;
    });
    if (lost.length > 0 && lost.length === now.length) lostRounds += 1;
    open = [...lost, ...later];
  }
  return outcomes;
}

async function judgeAll(ctx: LeadsContext, open: OpenLead[]) {
  const facts = await findFacts(
    ctx,
    open.map(({ attempt }) => attempt),
  );
  const known: (JudgedLead & OpenLead)[] = [];
  const unknown: OpenLead[] = [];
  for (const [index, lead] of open.entries()) {
    const found = facts[index];
    const { caller, lead: signup } = lead.attempt;
    if (found) known.push({ ...lead, facts: found, verdict: judgeLead(caller, signup, found) });
    else unknown.push(lead);
  }
  return { known, unknown };
}

/** Writes leads in one go, or each alone where the database refuses them together. Null: lost to somebody else. */
async function writeAll(ctx: LeadsContext, writes: LeadWrite[]): Promise<(number | Error | null)[]> {
  if (writes.length === 0) return [];
  try {
    return await writeLeads(ctx.db, writes);
  } catch (error) {
    // Another customer may take the key in this moment, and then is the one who is meant.
    if (lostToAnother(error) || (writes.length === 1 && isUniqueViolation(error))) return writes.map(() => null);
    if (writes.length === 1 || !isRefusedStatement(error)) return writes.map(() => error as Error);
    const results: (number | Error | null)[] = [];
    for (const write of writes) results.push(...(await writeAll(ctx, [write])));
    return results;
  }
}

async function findFacts(ctx: LeadsContext, attempts: LeadAttempt[]): Promise<(LeadFacts | null)[]> {
  const found = await findForLeads(
    ctx.db,
    attempts.map(({ caller, lead }) => ({
      click: parseClickId(lead.clickId),
      keyProgramId: caller.mode === 'server' ? caller.program.id : null,
      namedProgramId: caller.mode === 'browser' ? (caller.namedProgramId ?? null) : null,
      customerKey: lead.customerKey,
      isTest: lead.isTest,
    })),
  );
  return Promise.all(
    attempts.map(async ({ caller }, index) => {
      const { programId, ...known } = found[index]!;
      const program = caller.mode === 'server' ? caller.program : await programOf(ctx, programId);
      return program && { program, ...known };
    }),
  );
}

async function programOf(ctx: LeadsContext, programId: number | null): Promise<Program | null> {
  return programId === null ? null : ctx.lookup.program(programId);
}
