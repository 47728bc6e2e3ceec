import {
  CLICKED_AT,
  sampleCustomer,
  sampleProgram,
  unattributedCustomer,
} from '@svc/testkit/service/routes/samples.ts';
import { describe, expect, it } from 'vitest';
import type { Customer } from '../customers/customer.ts';
import { judgeLead, type LeadCaller, type LeadFacts, type LeadVerdict, type NewLead } from './lead.ts';

const trusting = sampleProgram();
const strict = sampleProgram({ leadAuth: 'server_required' });

const clicker = sampleCustomer({ id: 1 });
const signedUp = (parts: Partial<Customer> = {}) =>
  sampleCustomer({ id: 2, status: 'lead', leadAt: CLICKED_AT, leadState: 'settled', customerKey: 'user-1', ...parts });
const provisional = sampleCustomer({
  id: 3,
  status: 'lead',
  leadAt: CLICKED_AT,
  leadState: 'provisional',
  claimedCustomerKey: 'user-1',
});
const fromPage = signedUp({ id: 5, leadSource: 'page' });
const bought = signedUp({ id: 4, status: 'conversion', convertedAt: CLICKED_AT });

const server = (program = trusting): LeadCaller => ({ mode: 'server', program });
const browser = (origin?: string): LeadCaller => ({ mode: 'browser', namedProgramId: undefined, origin });

const byClickId = { clickId: 'cust_1_1', customerKey: undefined };
const byKeyOnly = { clickId: undefined, customerKey: 'user-1' };
const byBoth = { clickId: 'cust_1_1', customerKey: 'user-1' };

type Case = {
  caller: LeadCaller;
  sent: Pick<NewLead, 'clickId' | 'customerKey'> & { isTest?: boolean };
  facts?: Partial<LeadFacts>;
  verdict: LeadVerdict;
};

const refused = (status: string): LeadVerdict => ({ is: 'refused', reason: 'lead_status_refused', status });
const recorded = (customer: Customer): LeadVerdict => ({
  is: 'recorded',
  reason: 'lead_recorded',
  customer,
  provisional: false,
});
const claimed = (customer: Customer): LeadVerdict => ({
  is: 'recorded',
  reason: 'lead_provisional',
  customer,
  provisional: true,
});
const settled = (customer: Customer): LeadVerdict => ({ is: 'settled', reason: 'lead_settled', customer });
const unattributed = (isProvisional: boolean): LeadVerdict => ({
  is: 'recorded',
  reason: 'lead_recorded_unattributed',
  customer: null,
  provisional: isProvisional,
});
const notFound: LeadVerdict = { is: 'refused', reason: 'customer_not_found' };
const otherProgram: LeadVerdict = { is: 'refused', reason: 'other_program' };
const foreignOrigin: LeadVerdict = { is: 'refused', reason: 'origin_not_allowed', programId: trusting.id };

const cases: [string, Case][] = [
  [
    'a click becomes a lead',
    { caller: server(), sent: byClickId, facts: { byClick: clicker }, verdict: recorded(clicker) },
  ],
  [
    'a click becomes a lead, from a browser',
    { caller: browser(), sent: byBoth, facts: { byClick: clicker }, verdict: recorded(clicker) },
  ],
  [
    'the holder of the key takes precedence over the click',
    { caller: server(), sent: byBoth, facts: { byClick: clicker, byKey: signedUp() }, verdict: refused('lead') },
  ],
  [
    'the holder of the key is used if the click matches nothing',
    { caller: server(), sent: byBoth, facts: { byKey: bought }, verdict: refused('conversion') },
  ],
  [
    'a lead already exists',
    { caller: server(), sent: byClickId, facts: { byClick: signedUp() }, verdict: refused('lead') },
  ],
  [
    'a sale already exists',
    { caller: browser(), sent: byClickId, facts: { byClick: bought }, verdict: refused('conversion') },
  ],
  ['no click, a key', { caller: server(), sent: byKeyOnly, verdict: unattributed(false) }],
  [
    'known without a click',
    { caller: server(), sent: byKeyOnly, facts: { byKey: unattributedCustomer() }, verdict: refused('lead') },
  ],
  ['a click that matches nothing', { caller: server(), sent: byClickId, verdict: notFound }],
  ['click and key that match nothing', { caller: server(), sent: byBoth, verdict: notFound }],
  [
    'click of another program',
    {
      caller: server(),
      sent: byBoth,
      facts: { byClick: sampleCustomer({ programId: 2 }), byKey: signedUp() },
      verdict: otherProgram,
    },
  ],
  [
    'a page on another origin',
    { caller: browser('https://elsewhere.test'), sent: byClickId, facts: { byClick: clicker }, verdict: foreignOrigin },
  ],
  [
    'a page of the program',
    {
      caller: browser('https://www.acme.test'),
      sent: byClickId,
      facts: { byClick: clicker },
      verdict: recorded(clicker),
    },
  ],
  [
    'server_required, from a browser',
    { caller: browser(), sent: byBoth, facts: { program: strict, byClick: clicker }, verdict: claimed(clicker) },
  ],
  [
    'server_required, from a browser that claims the key of another customer: only its own click counts',
    {
      caller: browser(),
      sent: byBoth,
      facts: { program: strict, byClick: clicker, byKey: signedUp() },
      verdict: claimed(clicker),
    },
  ],
  [
    'server_required, from a browser without a click',
    { caller: browser(), sent: byKeyOnly, facts: { program: strict }, verdict: unattributed(true) },
  ],
  [
    'server_required, claimed again by the same browser',
    { caller: browser(), sent: byBoth, facts: { program: strict, byClick: provisional }, verdict: refused('lead') },
  ],
  [
    'server_required, from the server',
    { caller: server(strict), sent: byBoth, facts: { program: strict, byClick: clicker }, verdict: recorded(clicker) },
  ],
  [
    'a provisional lead, found by click_id',
    { caller: server(strict), sent: byClickId, facts: { byClick: provisional }, verdict: settled(provisional) },
  ],
  [
    'a provisional lead, found by the claimed key alone',
    { caller: server(strict), sent: byKeyOnly, facts: { claimants: [provisional] }, verdict: settled(provisional) },
  ],
  [
    'a claimed key with a click that matches nothing',
    { caller: server(strict), sent: byBoth, facts: { claimants: [provisional] }, verdict: notFound },
  ],
  [
    'a claimed key that another customer holds by now',
    {
      caller: server(strict),
      sent: byKeyOnly,
      facts: { byKey: signedUp(), claimants: [provisional] },
      verdict: refused('lead'),
    },
  ],
  [
    'a claimed key with a click that the server sent',
    {
      caller: server(strict),
      sent: byBoth,
      facts: { byClick: clicker, claimants: [provisional] },
      verdict: recorded(clicker),
    },
  ],
  [
    'a key that several pages claim, alone',
    {
      caller: server(strict),
      sent: byKeyOnly,
      facts: { claimants: [provisional, { ...provisional, id: 9 }] },
      verdict: { is: 'recorded', reason: 'lead_claimed_by_several', customer: null, provisional: false },
    },
  ],
  [
    'a page without a click repeats its claim to a key that other pages claim too',
    {
      caller: browser(),
      sent: byKeyOnly,
      facts: { program: strict, claimants: [provisional, unattributedCustomer({ leadState: 'provisional' })] },
      verdict: refused('lead'),
    },
  ],
  [
    'the server names another click than the page that bound the key',
    {
      caller: server(),
      sent: byBoth,
      facts: { byClick: clicker, byKey: fromPage },
      verdict: { is: 'settled', reason: 'lead_took_over_key', customer: clicker, from: fromPage },
    },
  ],
  [
    'the server names another click, whose page also reported a signup',
    {
      caller: server(),
      sent: byBoth,
      facts: { byClick: { ...fromPage, id: 8, customerKey: 'other' }, byKey: fromPage },
      verdict: {
        is: 'settled',
        reason: 'lead_took_over_key',
        customer: { ...fromPage, id: 8, customerKey: 'other' },
        from: fromPage,
      },
    },
  ],
  [
    'the server names another click, but the page’s customer has bought by now',
    {
      caller: server(),
      sent: byBoth,
      facts: { byClick: clicker, byKey: { ...fromPage, status: 'conversion', convertedAt: CLICKED_AT } },
      verdict: refused('conversion'),
    },
  ],
  [
    'the server names another click, but the server itself had bound the key',
    {
      caller: server(),
      sent: byBoth,
      facts: { byClick: clicker, byKey: signedUp({ leadSource: 'server' }) },
      verdict: refused('lead'),
    },
  ],
  [
    'a page names another click than the page that bound the key',
    { caller: browser(), sent: byBoth, facts: { byClick: clicker, byKey: fromPage }, verdict: refused('lead') },
  ],
  [
    'a test that matches nothing',
    { caller: server(), sent: { ...byBoth, isTest: true }, verdict: { is: 'recorded', reason: 'test_event' } },
  ],
  [
    'a test of a test customer',
    {
      caller: server(),
      sent: { ...byClickId, isTest: true },
      facts: { byClick: clicker },
      verdict: recorded(clicker),
    },
  ],
];

describe('judgeLead', () => {
  it.each(cases)('%s', (_case, { caller, sent, facts, verdict }) => {
    const lead: NewLead = { email: undefined, isTest: false, requestId: null, ...sent };
    const known: LeadFacts = { program: trusting, byClick: null, byKey: null, claimants: [], ...facts };
    expect(judgeLead(caller, lead, known)).toEqual(verdict);
  });
});
