import { hashEmail, maskEmail } from '../customers/email.ts';
import type { Decision } from '../decisions/decision.ts';
import type { TrackingContext } from '../tracking-context.ts';
import type { LeadAttempt, LeadFacts, LeadOutcome, LeadVerdict } from './lead.ts';
import type { LeadWrite } from './lead-store.ts';

/** A lead with what was known when it was judged. */
export type JudgedLead = { attempt: LeadAttempt; facts: LeadFacts; verdict: LeadVerdict };

/**
 * Those that can be written together; whoever is about the same customer or key as one that changes them has the next
 * turn, and is judged anew.
 */
export function takeTurns<Lead extends JudgedLead>(leads: Lead[]): { now: Lead[]; later: Lead[] } {
  const taken = new Set<string>();
  const now: Lead[] = [];
  const later: Lead[] = [];
  for (const lead of leads) {
    const touched = touchedBy(lead);
    const isFree = touched.every((name) => !taken.has(name));
    if (actionOf(lead.verdict) !== 'note') for (const name of touched) taken.add(name);
    (isFree ? now : later).push(lead);
  }
  return { now, later };
}

function touchedBy({ attempt: { lead }, facts }: JudgedLead): string[] {
  const customers = [facts.byClick, facts.byKey, facts.byClaim].flatMap((customer) => (customer ? [customer.id] : []));
  const key = lead.customerKey === undefined ? [] : [`key ${facts.program.id} ${lead.isTest} ${lead.customerKey}`];
  return [...customers.map((id) => `customer ${id}`), ...key];
}

export function leadToWrite(ctx: Pick<TrackingContext, 'now' | 'emailSecret'>, judged: JudgedLead): LeadWrite {
  const { verdict } = judged;
  const { lead } = judged.attempt;
  const provisional = isProvisional(verdict);
  const customer = 'customer' in verdict ? verdict.customer : null;
  return {
    action: actionOf(verdict),
    customerId: customer?.id ?? null,
    customerKey: provisional ? null : (lead.customerKey ?? null),
    claimedCustomerKey: provisional ? (lead.customerKey ?? null) : (customer?.claimedCustomerKey ?? null),
    emailHash: lead.email === undefined ? null : hashEmail(lead.email, ctx.emailSecret),
    emailMasked: lead.email === undefined ? null : maskEmail(lead.email),
    leadState: provisional ? 'provisional' : 'settled',
    decision: decisionOf(ctx.now(), judged),
  };
}

export function outcomeOf({ verdict, facts }: JudgedLead, decisionId: number): LeadOutcome {
  if (verdict.is === 'refused') return verdict;
  return { is: 'recorded', provisional: isProvisional(verdict), program: facts.program, decisionId };
}

function isProvisional(verdict: LeadVerdict): boolean {
  return 'provisional' in verdict && verdict.provisional;
}

function actionOf(verdict: LeadVerdict): LeadWrite['action'] {
  if (verdict.is === 'refused' || verdict.reason === 'test_event') return 'note';
  if (verdict.is === 'settled') return 'settle';
  return verdict.customer ? 'move' : 'insert';
}

function decisionOf(now: Date, { attempt: { caller, lead }, facts, verdict }: JudgedLead): Decision {
  const { program, byClick, byKey, byClaim } = facts;
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
    createdAt: now,
  };
}
