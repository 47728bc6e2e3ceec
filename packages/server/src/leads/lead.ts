import type { Customer } from '../customers/customer.ts';
import { isOriginAllowed } from '../programs/origins.ts';
import type { Program } from '../programs/program.ts';

export type NewLead = {
  clickId: string | undefined;
  customerKey: string | undefined;
  email: string | undefined;
  additionalData?: Record<string, unknown>;
  isTest: boolean;
  requestId: string | null;
};

/** Who reports a lead: a server with the program's key, or a web page that may name its program. */
export type LeadCaller =
  | { mode: 'server'; program: Program }
  | { mode: 'browser'; namedProgramId: number | undefined; origin: string | undefined };

export type LeadAttempt = { caller: LeadCaller; lead: NewLead };

/** The outcome for the caller who reported the lead. */
export type LeadOutcome =
  | { is: 'recorded'; provisional: boolean; program: Program; decisionId: number }
  | { is: 'refused'; reason: 'customer_not_found' | 'other_program' | 'origin_not_allowed' }
  | { is: 'refused'; reason: 'lead_status_refused'; status: string };

export type LeadFacts = {
  program: Program;
  byClick: Customer | null;
  /** The customer of the program who holds the key that was sent. */
  byKey: Customer | null;
  /** The customer with the latest provisional claim to that key from a web page. */
  byClaim: Customer | null;
};

export type LeadVerdict =
  | { is: 'refused'; reason: 'customer_not_found' | 'other_program' | 'origin_not_allowed' }
  | { is: 'refused'; reason: 'lead_status_refused'; status: string }
  | { is: 'recorded'; reason: 'test_event' }
  | { is: 'recorded'; reason: 'lead_recorded' | 'lead_provisional'; customer: Customer; provisional: boolean }
  | { is: 'recorded'; reason: 'lead_recorded_unattributed'; customer: null; provisional: boolean }
  | { is: 'settled'; reason: 'lead_settled'; customer: Customer };

/** Decides what happens to a reported lead. */
export function judgeLead(caller: LeadCaller, lead: NewLead, facts: LeadFacts): LeadVerdict {
  const { program, byClick } = facts;
  if (caller.mode === 'browser' && caller.origin !== undefined && !isOriginAllowed(program, caller.origin)) {
    return { is: 'refused', reason: 'origin_not_allowed' };
  }
  if (byClick && byClick.programId !== program.id) return { is: 'refused', reason: 'other_program' };

  const provisional = caller.mode === 'browser' && program.leadAuth === 'server_required';
  const customer = provisional ? claimant(lead, facts) : intendedCustomer(caller, lead, facts);
  if (!customer) {
    if (lead.isTest) return { is: 'recorded', reason: 'test_event' };
    const maySignUpWithoutClick = lead.clickId === undefined && lead.customerKey !== undefined;
    if (!maySignUpWithoutClick) return { is: 'refused', reason: 'customer_not_found' };
    return { is: 'recorded', reason: 'lead_recorded_unattributed', customer: null, provisional };
  }
  if (caller.mode === 'server' && customer.leadState === 'provisional') {
    return { is: 'settled', reason: 'lead_settled', customer };
  }
  if (customer.status !== 'click') {
    return { is: 'refused', reason: 'lead_status_refused', status: customer.status };
  }
  return { is: 'recorded', reason: provisional ? 'lead_provisional' : 'lead_recorded', customer, provisional };
}

/** A key has one holder in a program, and the lead belongs to that holder, whatever click was sent along. */
function intendedCustomer(caller: LeadCaller, lead: NewLead, { byKey, byClick, byClaim }: LeadFacts): Customer | null {
  const settlesByClaim = caller.mode === 'server' && lead.clickId === undefined;
  return byKey ?? byClick ?? (settlesByClaim ? byClaim : null);
}

/** An untrusted page can speak only for its own click; the key it sends is only a claim. */
function claimant(lead: NewLead, { byClick, byKey, byClaim }: LeadFacts): Customer | null {
  return byClick ?? byKey ?? (lead.clickId === undefined ? byClaim : null);
}

/** Whether the lead counts only once the program's server confirms it. */
export function isProvisional(verdict: LeadVerdict): boolean {
  return 'provisional' in verdict && verdict.provisional;
}

/** The customer after the lead. A settled lead turns the page's claim into the customer's key, if the key is still free. */
export function customerAfter(
  verdict: Exclude<LeadVerdict, { is: 'refused' } | { reason: 'test_event' }>,
  lead: NewLead,
  isClaimFree: boolean,
  newCustomer: Customer,
  now: Date,
): Customer {
  if (verdict.is === 'settled') {
    const { customer } = verdict;
    const claim = isClaimFree ? customer.claimedCustomerKey : null;
    return { ...customer, leadState: 'settled', customerKey: customer.customerKey ?? lead.customerKey ?? claim };
  }
  const customer = verdict.customer ?? newCustomer;
  const sentKey = lead.customerKey ?? null;
  return {
    ...customer,
    status: 'lead',
    leadAt: now,
    leadState: verdict.provisional ? 'provisional' : 'settled',
    customerKey: customer.customerKey ?? (verdict.provisional ? null : sentKey),
    claimedCustomerKey: verdict.provisional ? sentKey : customer.claimedCustomerKey,
  };
}

/** A customer who signs up without a click, before the lead is applied. */
export function customerWithoutClick(id: number, programId: number, isTest: boolean): Customer {
  return {
    id,
    programId,
    linkId: null,
    partnerId: null,
    membershipId: null,
    clickedAt: null,
    customerKey: null,
    status: 'click',
    leadAt: null,
    leadState: null,
    claimedCustomerKey: null,
    convertedAt: null,
    isTest,
  };
}
