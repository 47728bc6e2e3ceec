import { CLICKED_AT, sampleCustomer, sampleProgram } from '@svc/testkit/service/routes/samples.ts';
import { describe, expect, it } from 'vitest';
import type { Customer } from '../customers/customer.ts';
import type { LeadCaller, NewLead } from './lead.ts';
import { judgeLeads, type LeadGroup, type ScopedLead } from './lead-group.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const trusting = sampleProgram();
const strict = sampleProgram({ leadAuth: 'server_required' });

const lead = (sent: Partial<NewLead>): NewLead => ({
  clickId: undefined,
  customerKey: undefined,
  email: undefined,
  isTest: false,
  requestId: null,
  ...sent,
});

const reported = (
  sent: Partial<NewLead>,
  clicked: Customer | null = null,
  program = trusting,
  mode: LeadCaller['mode'] = 'server',
): ScopedLead => ({
  attempt: {
    caller: mode === 'server' ? { mode, program } : { mode, namedProgramId: undefined, origin: undefined },
    lead: lead(sent),
  },
  program,
  clicked,
});

const judge = (leads: ScopedLead[], locked: Customer[]) => judgeLeads(leads, locked, 'a secret', NOW);
const reasonsOf = ({ judged }: LeadGroup) => judged.map(({ verdict }) => verdict.reason);
const customersOf = ({ changes }: LeadGroup) => [...changes.values()].map(({ customer }) => customer);

const clicker = sampleCustomer({ id: 1 });
const rival = sampleCustomer({ id: 2 });

describe('leads of one group are judged in order', () => {
  it('two leads of one click: the first is recorded, the second is refused', () => {
    const group = judge([reported({ clickId: 'a' }, clicker), reported({ clickId: 'a' }, clicker)], [clicker]);
    expect(reasonsOf(group)).toEqual(['lead_recorded', 'lead_status_refused']);
    expect(customersOf(group)).toEqual([
      { ...clicker, status: 'lead', leadAt: NOW, leadState: 'settled', leadSource: 'server' },
    ]);
  });

  it('two clicks with one key: the first click gets it, the second lead belongs to its holder', () => {
    const group = judge(
      [
        reported({ clickId: 'a', customerKey: 'user' }, clicker),
        reported({ clickId: 'b', customerKey: 'user' }, rival),
      ],
      [clicker, rival],
    );
    expect(reasonsOf(group)).toEqual(['lead_recorded', 'lead_status_refused']);
    expect(customersOf(group)).toMatchObject([{ id: 1, customerKey: 'user' }]);
    expect(group.judged[1]?.decision.customerId).toBe(1);
  });

  it('the same new key twice: one new customer', () => {
    const group = judge([reported({ customerKey: 'user' }), reported({ customerKey: 'user' })], []);
    expect(reasonsOf(group)).toEqual(['lead_recorded_unattributed', 'lead_status_refused']);
    expect(customersOf(group)).toMatchObject([{ customerKey: 'user', status: 'lead', linkId: null }]);
  });

  it('two new keys: two new customers, with different negative ids', () => {
    const ids = customersOf(judge([reported({ customerKey: 'a' }), reported({ customerKey: 'b' })], [clicker])).map(
      ({ id }) => id,
    );
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toBeLessThan(0);
  });

  it('a page claims a key and the server settles the lead: the claim becomes the key', () => {
    const group = judge(
      [
        reported({ clickId: 'a', customerKey: 'user' }, clicker, strict, 'browser'),
        reported({ customerKey: 'user' }, null, strict),
      ],
      [clicker],
    );
    expect(reasonsOf(group)).toEqual(['lead_provisional', 'lead_settled']);
    expect(customersOf(group)).toMatchObject([{ id: 1, customerKey: 'user', leadState: 'settled' }]);
  });

  it('a settled lead does not get its claimed key if another customer holds it by then', () => {
    const claiming = sampleCustomer({
      id: 3,
      status: 'lead',
      leadAt: CLICKED_AT,
      leadState: 'provisional',
      claimedCustomerKey: 'user',
    });
    const group = judge(
      [reported({ clickId: 'b', customerKey: 'user' }, rival, strict), reported({ clickId: 'c' }, claiming, strict)],
      [rival, claiming],
    );
    expect(reasonsOf(group)).toEqual(['lead_recorded', 'lead_settled']);
    expect(customersOf(group)).toMatchObject([
      { id: 2, customerKey: 'user' },
      { id: 3, customerKey: null, leadState: 'settled' },
    ]);
  });

  it('of several claims none is settled: the signup gets a customer of its own', () => {
    const claim = (id: number) =>
      sampleCustomer({
        id,
        status: 'lead',
        leadAt: CLICKED_AT,
        leadState: 'provisional',
        claimedCustomerKey: 'user',
      });
    const group = judge([reported({ customerKey: 'user' }, null, strict)], [claim(5), claim(6)]);
    expect(reasonsOf(group)).toEqual(['lead_claimed_by_several']);
    expect(customersOf(group)).toMatchObject([{ partnerId: null, customerKey: 'user', leadSource: 'server' }]);
  });

  it('a page binds a key, the server names another click: that click gets the key', () => {
    const group = judge(
      [
        reported({ clickId: 'a', customerKey: 'user' }, clicker, trusting, 'browser'),
        reported({ clickId: 'b', customerKey: 'user' }, rival),
      ],
      [clicker, rival],
    );
    expect(reasonsOf(group)).toEqual(['lead_recorded', 'lead_took_over_key']);
    expect(customersOf(group)).toMatchObject([
      { id: 1, customerKey: null, claimedCustomerKey: 'user', leadSource: 'page' },
      { id: 2, customerKey: 'user', status: 'lead', leadState: 'settled', leadSource: 'server' },
    ]);
  });

  it('the e-mail of an earlier lead in the group is kept if a later one has none', () => {
    const group = judge(
      [
        reported({ clickId: 'a', email: 'jane@example.com' }, clicker, strict, 'browser'),
        reported({ clickId: 'a' }, clicker, strict),
      ],
      [clicker],
    );
    expect([...group.changes.values()]).toMatchObject([{ email: { masked: 'j***@example.com', source: 'page' } }]);
  });
});
