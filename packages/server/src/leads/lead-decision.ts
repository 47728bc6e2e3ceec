import type { Decision, DecisionSource } from '../decisions/decision.ts';
import type { LeadAttempt, LeadCaller, LeadFacts, LeadVerdict } from './lead.ts';

/** The decision about a lead, with the facts from before it. */
export function leadDecision(attempt: LeadAttempt, facts: LeadFacts, verdict: LeadVerdict, now: Date): Decision {
  const { caller, lead } = attempt;
  const { program, byClick, byKey, claimants } = facts;
  const known = verdict.reason === 'other_program' ? null : (byKey ?? byClick ?? claimants[0] ?? null);
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
      key_taken_from: verdict.reason === 'lead_took_over_key' ? verdict.from.id : undefined,
    },
    source: sourceOf(caller),
    customerId: customer?.id,
    partnerId: customer?.partnerId,
    customerKey: lead.customerKey,
    clickId: lead.clickId,
    additionalData: verdict.is === 'refused' ? undefined : lead.additionalData,
    requestId: lead.requestId,
    isTest: lead.isTest,
    createdAt: now,
  };
}

function sourceOf(caller: LeadCaller): DecisionSource {
  if (caller.mode === 'browser') return 'browser';
  return caller.isSynthetic ? 'synthetic' : 'api';
}

/** Anyone can make calls from a page that the program does not allow, so those are only counted. */
export function isExplained({ reason }: LeadVerdict): boolean {
  return reason !== 'origin_not_allowed';
}
