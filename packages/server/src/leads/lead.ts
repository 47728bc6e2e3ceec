import type { Customer, LeadSource } from '../customers/customer.ts';
import { isOriginAllowed } from '../programs/origins.ts';
import type { Program } from '../programs/program.ts';
import type { Credit } from '../terms/reward.ts';

export type NewLead = {
  clickId: string | undefined;
  customerKey: string | undefined;
  email: string | undefined;
  additionalData?: Record<string, unknown>;
  isTest: boolean;
  requestId: string | null;
};

/** Who reports a lead: a server with the program's key, a test of the service itself, or a web page that may name its program. */
export type LeadCaller =
  | { mode: 'server'; program: Program; isSynthetic?: boolean }
  | { mode: 'browser'; namedProgramId: number | undefined; origin: string | undefined };

export type LeadAttempt = { caller: LeadCaller; lead: NewLead };

/** The outcome for the caller who reported the lead. */
export type LeadOutcome =
  | {
      is: 'recorded';
      provisional: boolean;
      program: Program;
      decisionId: number;
      /** What the customer was granted. */
      credit: Pick<Credit, 'cents' | 'currency'> | null;
      isTest: boolean;
    }
  | LeadRefusal;

export type LeadRefusal =
  | { is: 'refused'; reason: 'customer_not_found' | 'other_program' }
  | { is: 'refused'; reason: 'origin_not_allowed'; programId: number }
  | { is: 'refused'; reason: 'lead_status_refused'; status: string };

export type LeadFacts = {
  program: Program;
  byClick: Customer | null;
  /** The customer of the program who holds the key that was sent. */
  byKey: Customer | null;
  /** Customers with a provisional claim to that key from a web page. */
  claimants: Customer[];
};

export type LeadVerdict =
  | LeadRefusal
  | { is: 'recorded'; reason: 'test_event' }
  | { is: 'recorded'; reason: 'lead_recorded' | 'lead_provisional'; customer: Customer; provisional: boolean }
  | {
      is: 'recorded';
      reason: 'lead_recorded_unattributed' | 'lead_claimed_by_several';
      customer: null;
      provisional: boolean;
    }
  | { is: 'settled'; reason: 'lead_settled'; customer: Customer }
  | { is: 'settled'; reason: 'lead_took_over_key'; customer: Customer; from: Customer };

/** Decides what happens to a reported lead. */
export function judgeLead(caller: LeadCaller, lead: NewLead, facts: LeadFacts): LeadVerdict {
  const { program, byClick } = facts;
  if (caller.mode === 'browser' && caller.origin !== undefined && !isOriginAllowed(program, caller.origin)) {
    return { is: 'refused', reason: 'origin_not_allowed', programId: program.id };
  }
  if (byClick && byClick.programId !== program.id) return { is: 'refused', reason: 'other_program' };

  const weakHolder = caller.mode === 'server' ? weakerHolder(facts) : null;
  if (byClick && weakHolder) {
    return { is: 'settled', reason: 'lead_took_over_key', customer: byClick, from: weakHolder };
  }

  const provisional = caller.mode === 'browser' && program.leadAuth === 'server_required';
  const customer = provisional ? claimant(lead, facts) : intendedCustomer(caller, lead, facts);
  if (!customer) {
    if (lead.isTest) return { is: 'recorded', reason: 'test_event' };
    const maySignUpWithoutClick = lead.clickId === undefined && lead.customerKey !== undefined;
    if (!maySignUpWithoutClick) return { is: 'refused', reason: 'customer_not_found' };
    const isDisputed = caller.mode === 'server' && facts.claimants.length > 1;
    const reason = isDisputed ? 'lead_claimed_by_several' : 'lead_recorded_unattributed';
    return { is: 'recorded', reason, customer: null, provisional };
  }
  if (caller.mode === 'server' && customer.leadState === 'provisional') {
    return { is: 'settled', reason: 'lead_settled', customer };
  }
  if (customer.status !== 'click') {
    return { is: 'refused', reason: 'lead_status_refused', status: customer.status };
  }
  return { is: 'recorded', reason: provisional ? 'lead_provisional' : 'lead_recorded', customer, provisional };
}

/**
 * The holder of the key, if the lead takes the key over from it. A report from the server outweighs one from a page: a lead
 * that names another click gets a key that only a page has bound, until its holder buys.
 */
function weakerHolder({ byKey, byClick }: LeadFacts): Customer | null {
  if (!byKey || !byClick || byKey.id === byClick.id) return null;
  return isOnlyFromPage(byKey) && (byClick.status === 'click' || isOnlyFromPage(byClick)) ? byKey : null;
}

function isOnlyFromPage({ leadSource, leadState, convertedAt }: Customer): boolean {
  return convertedAt === null && (leadSource === 'page' || leadState === 'provisional');
}

/** A key has one holder in a program, and the lead belongs to that holder, whatever click was sent along. */
function intendedCustomer(
  caller: LeadCaller,
  lead: NewLead,
  { byKey, byClick, claimants }: LeadFacts,
): Customer | null {
  const settlesByClaim = caller.mode === 'server' && lead.clickId === undefined;
  return byKey ?? byClick ?? (settlesByClaim ? onlyOne(claimants) : null);
}

/** An untrusted page can speak only for its own click; the key it sends is only a claim. */
function claimant(lead: NewLead, { byClick, byKey, claimants }: LeadFacts): Customer | null {
  const claimWithoutClick = claimants.find(({ clickedAt }) => clickedAt === null);
  return byClick ?? byKey ?? (lead.clickId === undefined ? (claimWithoutClick ?? onlyOne(claimants)) : null);
}

/** A key that several pages claim identifies nobody. */
function onlyOne(claimants: Customer[]): Customer | null {
  return claimants.length === 1 ? claimants[0]! : null;
}

/** Whether the lead counts only once the program's server confirms it. */
export function isProvisional(verdict: LeadVerdict): boolean {
  return 'provisional' in verdict && verdict.provisional;
}

/** The customer after the lead. A settled lead turns the page's claim into the customer's key, if the key is still free. */
export function customerAfter(
  verdict: Exclude<LeadVerdict, { is: 'refused' } | { reason: 'test_event' }>,
  lead: NewLead,
  source: LeadSource,
  isClaimFree: boolean,
  newCustomer: Customer,
  now: Date,
): Customer {
  if (verdict.reason === 'lead_took_over_key') {
    const { customer } = verdict;
    const leadAt = customer.leadAt ?? now;
    const customerKey = lead.customerKey ?? null;
    return { ...customer, status: 'lead', leadAt, leadState: 'settled', leadSource: source, customerKey };
  }
  if (verdict.is === 'settled') {
    const { customer } = verdict;
    const claim = isClaimFree ? customer.claimedCustomerKey : null;
    const customerKey = customer.customerKey ?? lead.customerKey ?? claim;
    return { ...customer, leadState: 'settled', leadSource: source, customerKey };
  }
  const customer = verdict.customer ?? newCustomer;
  const sentKey = lead.customerKey ?? null;
  return {
    ...customer,
    status: 'lead',
    leadAt: now,
    leadState: verdict.provisional ? 'provisional' : 'settled',
    leadSource: source,
    customerKey: customer.customerKey ?? (verdict.provisional ? null : sentKey),
    claimedCustomerKey: verdict.provisional ? sentKey : customer.claimedCustomerKey,
  };
}

/** The customer whose key another one took over. The page's claim is kept, so that it can be explained. */
export function customerWithoutKey(customer: Customer): Customer {
  return { ...customer, customerKey: null, claimedCustomerKey: customer.customerKey };
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
    leadSource: null,
    claimedCustomerKey: null,
    convertedAt: null,
    creditedClickAt: null,
    assignedAt: null,
    isTest,
  };
}
