import { isUniqueViolation } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import { parseClickId } from './click-id.ts';
import type { Decision } from './decision.ts';
import { insertDecision } from './decision-store.ts';
import { hashEmail, maskEmail } from './email.ts';
import { judgeLead, type LeadCaller, type LeadFacts, type LeadVerdict, type NewLead } from './lead.ts';
import { findForLead, insertUnattributedLead, type LeadWrite, updateToLead, updateToSettled } from './lead-store.ts';
import type { TrackingContext } from './tracking-context.ts';

export type LeadOutcome =
  | { is: 'recorded'; provisional: boolean; program: Program; decisionId: number }
  | { is: 'refused'; reason: 'customer_not_found' | 'other_program' | 'origin_not_allowed' }
  | { is: 'refused'; reason: 'lead_status_refused'; status: string };

const ATTEMPTS = 5;

/**
 * Records a signup. What was looked up may change before it is written; then the write does nothing and the lead is
 * judged anew, so that of several at once exactly one is recorded.
 */
export async function recordLead(ctx: TrackingContext, caller: LeadCaller, lead: NewLead): Promise<LeadOutcome> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const facts = await findFacts(ctx, caller, lead);
    if (!facts) return { is: 'refused', reason: 'customer_not_found' };
    const verdict = judgeLead(caller, lead, facts);
    const decisionId = await writeLead(ctx, caller, lead, facts, verdict);
    if (decisionId === null) continue;
    if (verdict.is === 'refused') return verdict;
    const provisional = 'provisional' in verdict && verdict.provisional;
    return { is: 'recorded', provisional, program: facts.program, decisionId };
  }
  throw new Error('The customer of a lead kept changing');
}

async function findFacts(ctx: TrackingContext, caller: LeadCaller, lead: NewLead): Promise<LeadFacts | null> {
  const { programId, ...found } = await findForLead(ctx.db, {
    click: parseClickId(lead.clickId),
    keyProgramId: caller.mode === 'server' ? caller.program.id : null,
    namedProgramId: caller.mode === 'browser' ? (caller.namedProgramId ?? null) : null,
    customerKey: lead.customerKey ?? null,
    isTest: lead.isTest,
  });
  if (caller.mode === 'server') return { program: caller.program, ...found };
  const program = programId === null ? null : await ctx.directory.program(programId);
  return program && { program, ...found };
}

/** Writes what was decided; null when the customer had changed since it was looked up. */
async function writeLead(
  ctx: TrackingContext,
  caller: LeadCaller,
  lead: NewLead,
  facts: LeadFacts,
  verdict: LeadVerdict,
): Promise<number | null> {
  const decision = decisionOf(ctx, caller, lead, facts, verdict);
  if (verdict.is === 'refused' || verdict.reason === 'test_event') return insertDecision(ctx.db, decision);

  const provisional = 'provisional' in verdict && verdict.provisional;
  const write: LeadWrite = {
    customerKey: provisional ? null : (lead.customerKey ?? null),
    claimedCustomerKey: provisional ? (lead.customerKey ?? null) : (verdict.customer?.claimedCustomerKey ?? null),
    emailHash: lead.email === undefined ? null : hashEmail(lead.email, ctx.emailSecret),
    emailMasked: lead.email === undefined ? null : maskEmail(lead.email),
    leadState: provisional ? 'provisional' : 'settled',
    decision,
  };
  try {
    if (verdict.is === 'settled') return await updateToSettled(ctx.db, verdict.customer.id, write);
    if (verdict.customer) return await updateToLead(ctx.db, verdict.customer.id, write);
    return await insertUnattributedLead(ctx.db, facts.program.id, write);
  } catch (error) {
    // Another customer of the program took the key in this moment: they are now the one who is meant.
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

function decisionOf(
  ctx: TrackingContext,
  caller: LeadCaller,
  lead: NewLead,
  { program, byClick, byKey, byClaim }: LeadFacts,
  verdict: LeadVerdict,
): Decision {
  const known = verdict.reason === 'other_program' ? null : (byKey ?? byClick ?? byClaim);
  const customer = 'customer' in verdict ? verdict.customer : known;
  return {
    programId: program.id,
    kind: 'lead',
    outcome: verdict.is === 'refused' ? 'refused' : 'recorded',
    reason: verdict.reason,
    facts: {
      mode: caller.mode,
      lead_auth: program.leadAuth,
      origin: caller.mode === 'browser' ? caller.origin?.slice(0, 255) : undefined,
      customer_status: customer?.status,
      clicked_at: customer?.clickedAt,
    },
    source: caller.mode === 'server' ? 'api' : 'browser',
    customerId: customer?.id,
    partnerId: customer?.partnerId,
    customerKey: lead.customerKey,
    clickId: lead.clickId,
    additionalData: lead.additionalData,
    requestId: lead.requestId,
    isTest: lead.isTest,
    createdAt: ctx.now(),
  };
}
