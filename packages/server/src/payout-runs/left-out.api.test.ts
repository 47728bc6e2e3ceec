import { memberOf, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, dueOn } from '@svc/testkit/service/payments/paid.ts';
import { draft, payee, removeMethod, runCall, setMethod } from '@svc/testkit/service/payments/payees.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const settings = (made: OwnedProgram, body: object) => asOwner(service, made, 'PUT', '/payout-settings', body);
const adjust = (made: OwnedProgram, cents: number, currency = 'USD') =>
  asOwner(service, made, 'POST', '/adjustments', {
    partner_id: made.partnerId,
    amount_cents: cents,
    currency,
    reason: 'Agreed',
  });
const inTwoDays = () => new Date(service.time.getTime() + 2 * 86_400_000);

type Prepare = (
  made: OwnedProgram,
) => Promise<{ amount?: number; currency?: string; note?: string | null; body?: object }>;

const REASONS: [reason: string, prepare: Prepare][] = [
  [
    'excluded',
    async (made) => ({
      note: 'Under review',
      body: { excluded_partner_ids: [made.partnerId], exclusion_notes: { [made.partnerId]: ' Under review ' } },
    }),
  ],
  [
    'excluded',
    async (made) => {
      await asOwner(service, made, 'PATCH', `/partners/${made.partnerId}`, { status: 'blocked' });
      return { note: 'The partner is blocked.' };
    },
  ],
  [
    'excluded',
    async (made) => {
      await asOwner(service, made, 'PATCH', `/partners/${made.partnerId}`, { status: 'removed' });
      return { note: 'The partner was removed from the program.' };
    },
  ],
  [
    'negative_balance',
    async (made) => {
      await adjust(made, -2_500);
      return { amount: -500 };
    },
  ],
  [
    'below_minimum',
    async (made) => {
      await settings(made, { minimum_cents: { USD: 2_001, EUR: 1 } });
      return {};
    },
  ],
];

const BRAZILIAN = { kind: 'iban', iban: 'BR1500000000000010932840814P2', bic: null };

describe('who is left out of a run', () => {
  it.each(REASONS)('%s: keeps what they have, with the amount and the reason', async (reason, prepare) => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made, 'paypal');
    const sale = await approvedSale(service, jane);
    const { amount = 2_000, note = null, body = {} } = await prepare(jane);
    const before = await service.sql('select count(*) as runs from payout_runs');
    const { status, body: reply } = await runCall(service, made, 'POST', '', body);
    const leftOut = {
      partner_id: jane.partnerId,
      partner_name: 'Jane',
      currency: 'USD',
      amount_cents: amount,
      reason,
      note,
    };
    expect([status, reply.error.message, reply.error.details]).toEqual([
      409,
      'Nobody would be paid, so no run was made. `left_out` says why.',
      { left_out: [leftOut] },
    ]);
    expect(await service.sql('select count(*) as runs from payout_runs')).toEqual(before);
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 2_000 });
    // Beside somebody who is paid, the same is stored with the run.
    const ben = await payee(service, made, 'paypal');
    await approvedSale(service, ben, { amount_cents: 20_000 });
    const run = await draft(service, made, body);
    expect(run).toMatchObject({ payouts: [{ partner_id: ben.partnerId, amount_cents: 4_000 }], left_out: [leftOut] });
    expect(await dueOn(service, sale)).toEqual({ stage: 'approved', due: 2_000 });
  });

  it.each([
    ['no_method', null, 'USD', {}, null],
    ['currency_not_payable', 'iban', 'USD', {}, null],
    ['currency_not_payable', 'us_bank', 'EUR', {}, null],
    ['country_not_payable', 'paypal', 'USD', { country: 'CU' }, null],
    ['country_not_payable', 'iban', 'EUR', { country: 'DE', details: BRAZILIAN }, null],
    [
      'method_held',
      'paypal',
      'USD',
      { usableFrom: inTwoDays() },
      'The payout method can be used from 2026-03-12 12:00 UTC on.',
    ],
  ] as const)('%s: with the method %s and %s', async (reason, kind, currency, options, note) => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made, kind, options);
    await approvedSale(service, jane, { currency });
    const { status, body } = await runCall(service, made, 'POST', '', {});
    expect(status).toBe(409);
    expect(body.error.details.left_out).toMatchObject([{ reason, currency, amount_cents: 2_000, note }]);
  });

  it('an account in the SEPA area is reached wherever its holder lives', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made, 'iban', { country: 'US' });
    await approvedSale(service, jane, { currency: 'EUR' });
    expect(await draft(service, made)).toMatchObject({ payouts: [{ partner_id: jane.partnerId }], left_out: [] });
  });

  it('the first reason counts: excluded before no method before the minimum', async () => {
    const made = await ownedProgram(service);
    await settings(made, { minimum_cents: { USD: 5_000 } });
    const jane = await payee(service, made, null);
    await approvedSale(service, jane);
    const reasonWith = async (body: object) => {
      const { body: reply } = await runCall(service, made, 'POST', '', body);
      return reply.error.details.left_out[0].reason;
    };
    expect(await reasonWith({})).toBe('no_method');
    expect(await reasonWith({ excluded_partner_ids: [jane.partnerId] })).toBe('excluded');
    await setMethod(service, jane.account.userId, 'iban');
    expect(await reasonWith({})).toBe('currency_not_payable');
    await setMethod(service, jane.account.userId, 'other');
    expect(await reasonWith({})).toBe('below_minimum');
    await removeMethod(service, jane.account.userId);
    await adjust(jane, -9_000);
    expect(await reasonWith({})).toBe('negative_balance');
  });
});

describe('what is in a run', () => {
  it('is approved at or before the cutoff; what a partner owes is deducted, whenever it came about', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made);
    await approvedSale(service, jane);
    const cutoff = service.time;
    service.advance({ seconds: 1 });
    await approvedSale(service, jane, { amount_cents: 50_000 });
    await adjust(jane, -300);
    const run = await draft(service, made, { cutoff_at: cutoff.toISOString() });
    expect(run).toMatchObject({ cutoff_at: cutoff.toISOString(), payouts: [{ amount_cents: 1_700 }] });
    expect(await draft(service, made)).toMatchObject({ payouts: [{ amount_cents: 10_000 }] });
  });

  it('ends net_days ago by default', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made);
    await settings(made, { net_days: 30 });
    await approvedSale(service, jane);
    service.advance({ days: 30, seconds: -1 });
    const { status, body } = await runCall(service, made, 'POST', '', {});
    expect([status, body.error.details]).toEqual([409, { left_out: [] }]);
    service.advance({ seconds: 1 });
    const run = await draft(service, made);
    expect(run).toMatchObject({ payouts: [{ amount_cents: 2_000 }] });
  });

  it('is of one currency and of certain partners, if asked for', async () => {
    const made = await ownedProgram(service);
    const [jane, ben] = [await payee(service, made), await payee(service, made)];
    for (const currency of ['EUR', 'USD']) {
      await approvedSale(service, jane, { currency });
      await approvedSale(service, ben, { currency });
    }
    const run = await draft(service, made, { currency: 'eur', partner_ids: [ben.partnerId] });
    expect(run).toMatchObject({ payouts: [{ partner_id: ben.partnerId, currency: 'EUR' }], left_out: [] });
    expect((await draft(service, made)).payouts).toHaveLength(3);
  });

  it.each(['partner_ids', 'excluded_partner_ids'])('400 for a partner of another program in %s', async (field) => {
    const [made, theirs] = [await ownedProgram(service), await ownedProgram(service)];
    const { status, body } = await runCall(service, made, 'POST', '', { [field]: [theirs.partnerId] });
    expect([status, body.error.message, body.error.details]).toEqual([
      400,
      `${field} names the partner ${theirs.partnerId}, who is not in this program`,
      { field },
    ]);
  });

  it('is what several payouts take, where one cannot hold the balance', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made, 'other');
    await adjust(jane, Number.MAX_SAFE_INTEGER);
    await adjust(jane, Number.MAX_SAFE_INTEGER);
    const { payouts, totals } = await draft(service, made);
    expect(payouts.map((payout: { amount_cents: number }) => payout.amount_cents)).toEqual([
      Number.MAX_SAFE_INTEGER,
      Number.MAX_SAFE_INTEGER,
    ]);
    expect(totals).toMatchObject([{ currency: 'USD', payouts: 2 }]);
  });
});

describe('who may', () => {
  it.each([
    ['viewer', 403],
    ['finance', 409],
  ] as const)('a %s gets %i for a new run', async (role, status) => {
    const made = await ownedProgram(service);
    const { token } = await memberOf(service, made.workspaceId, role);
    const path = `/api/v1/manage/programs/${made.program.id}/payout-runs`;
    expect((await service.call('POST', path, { key: token, body: {} })).status).toBe(status);
  });
});
