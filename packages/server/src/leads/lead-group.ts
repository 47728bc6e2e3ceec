import type { Customer, LeadSource } from '../customers/customer.ts';
import type { LeadChange, StoredEmail } from '../customers/customer-store.ts';
import { hashEmail, hashEmailIdentity, maskEmail } from '../customers/email.ts';
import type { Decision } from '../decisions/decision.ts';
import type { Program } from '../programs/program.ts';
import { claimantsOf, holderOf, type ScopedKey } from './candidates.ts';
import {
  customerAfter,
  customerWithoutClick,
  customerWithoutKey,
  judgeLead,
  type LeadAttempt,
  type LeadFacts,
  type LeadVerdict,
  type NewLead,
} from './lead.ts';
import { leadDecision } from './lead-decision.ts';

/** A lead with its program and the customer of its click. */
export type ScopedLead = { attempt: LeadAttempt; program: Program; clicked: Customer | null };

export type JudgedLead = { verdict: LeadVerdict; program: Program; decision: Decision };

/** The result of judging a group of leads. Customers that are not inserted yet have negative ids. */
export type LeadGroup = { judged: JudgedLead[]; changes: Map<number, LeadChange> };

/** The keys relevant to a lead: the one it sends, and the one its customer has claimed. */
export function keysOf({ attempt: { lead }, program, clicked }: ScopedLead): ScopedKey[] {
  const keys = [lead.customerKey, clicked?.claimedCustomerKey].filter((key) => typeof key === 'string');
  return keys.map((customerKey) => ({ programId: program.id, customerKey, isTest: lead.isTest }));
}

/** Judges leads in order. Each sees the customers as the leads before it left them. */
export function judgeLeads(leads: ScopedLead[], locked: Customer[], emailSecret: string, now: Date): LeadGroup {
  const customers = [...locked];
  const changes = new Map<number, LeadChange>();

  function change(customer: Customer, email: StoredEmail | null) {
    const index = customers.findIndex(({ id }) => id === customer.id);
    customers[index === -1 ? customers.length : index] = customer;
    changes.set(customer.id, { customer, email: email ?? changes.get(customer.id)?.email ?? null });
  }

  const judged = leads.map(({ attempt, program, clicked }): JudgedLead => {
    const { caller, lead } = attempt;
    const facts = factsFor(customers, program, clicked, lead);
    const verdict = judgeLead(caller, lead, facts);
    const decision = leadDecision(attempt, facts, verdict, now);
    if (verdict.is === 'refused' || verdict.reason === 'test_event') return { verdict, program, decision };

    const newCustomer = customerWithoutClick(-1 - customers.length, program.id, lead.isTest);
    const source = caller.mode === 'server' ? 'server' : 'page';
    const customer = customerAfter(verdict, lead, source, isClaimFree(customers, verdict.customer), newCustomer, now);
    if (verdict.reason === 'lead_took_over_key') change(customerWithoutKey(verdict.from), null);
    change(customer, emailOf(lead, source, emailSecret));
    return { verdict, program, decision: { ...decision, customerId: customer.id } };
  });
  return { judged, changes };
}

function factsFor(customers: Customer[], program: Program, clicked: Customer | null, lead: NewLead): LeadFacts {
  const key =
    lead.customerKey === undefined
      ? null
      : { programId: program.id, customerKey: lead.customerKey, isTest: lead.isTest };
  return {
    program,
    byClick: customers.find(({ id }) => id === clicked?.id) ?? null,
    byKey: key && holderOf(customers, key),
    claimants: key ? claimantsOf(customers, key) : [],
  };
}

function isClaimFree(customers: Customer[], customer: Customer | null): boolean {
  if (!customer?.claimedCustomerKey) return false;
  return holderOf(customers, { ...customer, customerKey: customer.claimedCustomerKey }) === null;
}

function emailOf({ email }: NewLead, source: LeadSource, secret: string): StoredEmail | null {
  if (email === undefined) return null;
  return {
    hash: hashEmail(email, secret),
    identityHash: hashEmailIdentity(email, secret),
    masked: maskEmail(email),
    source,
  };
}
