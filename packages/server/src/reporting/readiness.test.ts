import { READINESS_STATES } from '@svc/contract';
import { sampleProgram } from '@svc/testkit/service/routes/samples.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Program } from '../programs/program.ts';
import { judgeReadiness, type Signals } from './readiness.ts';

const AT = new Date('2026-03-10T12:00:00Z');
const ORDER = ['profile', 'economics', 'payout', 'tracking', 'live'] as const;

function programWith(settings: Partial<Program> = {}): Program {
  return sampleProgram({ commissionRate: '20.0000', createdAt: AT, ...settings });
}

type Kind = 'click' | 'lead' | 'sale';

/** The signals of a program whose site has sent these test events and these real ones. */
function signals(test: Kind[], real: Kind[], processor: Partial<Signals['processor']> = {}): Signals {
  const seen = (kind: Kind) => (real.includes(kind) ? AT : null);
  const own = (kind: Kind) => (test.includes(kind) ? AT : seen(kind));
  return {
    testChain: NO_CHAIN,
    ownEvents: {
      click: own('click'),
      cookieSetBy: null,
      lead: own('lead'),
      sale: own('sale') && { at: AT, source: 'api' },
    },
    lastEventAt: { click: seen('click'), lead: seen('lead'), sale: seen('sale') },
    processor: { isConnected: false, hasSentEvents: false, ...processor },
    counts24h: { clicks: 0, leads: 0, sales: 0 },
  };
}

const NO_CHAIN = { click: 'pending', lead: 'pending', sale: 'pending' } as const;
/** After a test of the service itself, which the site has no part in. */
const afterChain = (arrived: Signals): Signals => ({
  ...arrived,
  testChain: { click: 'attributed', lead: 'attributed', sale: 'attributed' },
});

describe('the state', () => {
  it.each<[state: string, test: Kind[], real: Kind[]]>([
    ['configuring', [], []],
    ['integration_verified', ['lead', 'sale'], []],
    ['integration_verified', [], ['lead', 'sale']],
    ['ready', ['sale'], []],
    ['ready', ['click'], []],
    ['ready', [], ['click']],
    ['ready', ['click', 'lead'], []],
    ['ready', [], ['click', 'sale']],
    ['integration_verified', ['click', 'lead', 'sale'], []],
    ['integration_verified', ['lead', 'sale'], ['click']],
    ['integration_verified', ['click', 'lead', 'sale'], ['click', 'lead']],
    ['live_verified', [], ['click', 'lead', 'sale']],
    ['live_verified', ['click', 'lead', 'sale'], ['click', 'lead', 'sale']],
  ])('is %s after test events %j and real events %j', (state, test, real) => {
    const judged = judgeReadiness(programWith(), signals(test, real));
    expect(judged.state).toBe(state);
    expect(judged.integration_verified).toBe(state.endsWith('_verified'));
  });

  it('is ready after the test chain, which does not verify the integration of the site', () => {
    expect(judgeReadiness(programWith(), afterChain(signals([], [])))).toMatchObject({
      state: 'ready',
      integration_verified: false,
    });
  });

  it.each<[string, Partial<Program>]>([
    ['no name', { name: ' ' }],
    ['no domain', { domain: '' }],
    ['an invalid domain', { domain: 'https://acme.test/' }],
    ['a commission of more than 100 percent', { commissionRate: '100.0001' }],
    ['a recurring commission of more than 100 percent', { commissionType: 'recurring_percent', commissionRate: '250' }],
  ])('is draft with %s, whatever has arrived', (_case, settings) => {
    const all = signals(['click', 'lead', 'sale'], ['click', 'lead', 'sale']);
    for (const arrived of [signals([], []), all]) {
      expect(judgeReadiness(programWith(settings), arrived)).toMatchObject({
        state: 'draft',
        integration_verified: false,
      });
    }
  });
});

const NONE = { status: 'unknown', mode: null };

describe('the gates', () => {
  const statusesOf = (program: Program, arrived: Signals) => {
    const { gates } = judgeReadiness(program, arrived);
    return ORDER.map((name) => gates[name].status);
  };

  it.each<[string, Partial<Program>, Signals, string[], string | null]>([
    ['nothing yet', {}, signals([], []), ['pass', 'pass', 'unknown', 'fail', 'fail'], 'tracking'],
    ['a click', {}, signals([], ['click']), ['pass', 'pass', 'unknown', 'pass', 'fail'], 'live'],
    ['a test click', {}, signals(['click'], []), ['pass', 'pass', 'unknown', 'pass', 'fail'], 'live'],
    ['a sale that the server reported', {}, signals([], ['sale']), ['pass', 'pass', 'pass', 'pass', 'fail'], 'live'],
    ['the test chain', {}, afterChain(signals([], [])), ['pass', 'pass', 'unknown', 'unknown', 'fail'], 'live'],
    [
      'tests of the site, after which nothing blocks it anymore',
      {},
      signals(['click', 'lead', 'sale'], []),
      ['pass', 'pass', 'pass', 'pass', 'unknown'],
      null,
    ],
    [
      'real events of every kind',
      {},
      signals([], ['click', 'lead', 'sale']),
      ['pass', 'pass', 'pass', 'pass', 'pass'],
      null,
    ],
    ['no name', { name: '' }, signals([], []), ['fail', 'pass', 'unknown', 'fail', 'fail'], 'profile'],
    [
      'a rate of 101 percent',
      { commissionRate: '101' },
      signals([], []),
      ['pass', 'fail', 'unknown', 'fail', 'fail'],
      'economics',
    ],
    [
      'a rate of 100 percent',
      { commissionRate: '100.0000' },
      signals([], []),
      ['pass', 'pass', 'unknown', 'fail', 'fail'],
      'tracking',
    ],
    [
      'a fixed rate of 500 units',
      { commissionType: 'fixed', commissionRate: '500' },
      signals([], []),
      ['pass', 'pass', 'unknown', 'fail', 'fail'],
      'tracking',
    ],
  ])('are right with %s', (_case, settings, arrived, statuses, blocker) => {
    expect(statusesOf(programWith(settings), arrived)).toEqual(statuses);
    expect(judgeReadiness(programWith(settings), arrived).blocker).toBe(blocker);
  });

  it.each<[string, Partial<Signals['processor']>, object]>([
    ['no processor', {}, { ...NONE, next_action: expect.stringContaining('connect the payment processor') }],
    [
      'a processor that has sent nothing',
      { isConnected: true },
      { ...NONE, next_action: expect.stringContaining('no event has arrived') },
    ],
    [
      'a processor that sends other events',
      { isConnected: true, hasSentEvents: true },
      { ...NONE, next_action: expect.stringContaining('Make a test payment') },
    ],
    [
      'a processor that was disconnected',
      { hasSentEvents: true },
      { ...NONE, next_action: expect.stringContaining('connect the payment processor') },
    ],
  ])('include the right payout gate with %s and no sale', (_case, processor, gate) => {
    expect(judgeReadiness(programWith(), signals([], [], processor)).gates.payout).toEqual(gate);
  });

  it('pass for payout with a sale, whatever the processor does', () => {
    expect(judgeReadiness(programWith(), signals([], ['sale'], { isConnected: true })).gates.payout).toEqual({
      status: 'pass',
      mode: 'api',
    });
  });

  it('include the test chain in live', () => {
    const testChain = { click: 'attributed', lead: 'wrong_partner', sale: 'pending' } as const;
    const { gates } = judgeReadiness(programWith(), { ...signals([], []), testChain });
    expect(gates.live.test_chain).toEqual(testChain);
  });

  it('say in tracking when the latest event of the site arrived', () => {
    const later = new Date(AT.getTime() + 60_000);
    const ownEvents = { click: AT, cookieSetBy: 'server' as const, lead: later, sale: null };
    const { gates } = judgeReadiness(programWith(), { ...signals([], []), ownEvents });
    expect(gates.tracking).toEqual({
      status: 'pass',
      checked_at: later.toISOString(),
      cookie_set_by: 'server',
    });
  });

  it('name the events that have not arrived yet in live', () => {
    const { gates } = judgeReadiness(programWith(), signals(['click'], ['sale']));
    expect(gates.live.next_action).toMatch(/\blead\b/);
    expect(gates.live.next_action).not.toMatch(/\bclick\b|\bsale\b/);
  });
});

describe('for any program and any signals', () => {
  const kinds = fc.subarray<Kind>(['click', 'lead', 'sale']);
  const programs = fc
    .record({ name: fc.constantFrom('Acme', ''), domain: fc.constantFrom('acme.test', '?'), rate: fc.nat(200) })
    .map(({ rate, ...rest }) => programWith({ ...rest, commissionRate: String(rate) }));

  it('blocker is the first failing gate, and failing gates have a next_action while passing ones have none', () => {
    fc.assert(
      fc.property(programs, kinds, kinds, (program, test, real) => {
        const { gates, blocker } = judgeReadiness(program, signals(test, real));
        expect(blocker).toBe(ORDER.find((name) => gates[name].status === 'fail') ?? null);
        for (const name of ORDER) {
          const { status, next_action: action } = gates[name];
          if (status === 'fail') expect(action).toMatch(/\w{3}.*\.$/);
          if (status === 'pass') expect(action).toBeUndefined();
        }
      }),
    );
  });

  it('another event never moves the state back', () => {
    fc.assert(
      fc.property(
        programs,
        kinds,
        kinds,
        fc.constantFrom<Kind>('click', 'lead', 'sale'),
        (program, test, real, next) => {
          const rank = (arrived: Signals) => READINESS_STATES.indexOf(judgeReadiness(program, arrived).state);
          const before = rank(signals(test, real));
          expect(rank(signals([...test, next], real))).toBeGreaterThanOrEqual(before);
          expect(rank(signals(test, [...real, next]))).toBeGreaterThanOrEqual(before);
        },
      ),
    );
  });
});
