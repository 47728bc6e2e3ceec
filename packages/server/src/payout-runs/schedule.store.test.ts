import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner } from '@svc/testkit/service/payments/paid.ts';
import { colleague, payee, runCall, setMethod } from '@svc/testkit/service/payments/payees.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { preparePayoutRuns } from '../jobs/prepare-payout-runs.ts';

// Nothing listens on this port: the mail waits in the queue.
const service = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'partners@mail.test' });

const START = new Date('2026-03-10T12:00:00.000Z');
beforeEach(() => {
  service.time = START;
});

const save = (made: OwnedProgram, body: object) => asOwner(service, made, 'PUT', '/payout-settings', body);
const settingsOf = async (made: OwnedProgram) => (await asOwner(service, made, 'GET', '/payout-settings')).body.data;
const runsOf = async (made: OwnedProgram) => (await runCall(service, made, 'GET')).body.data;

describe('payout settings', () => {
  it('are empty until somebody saves them; fields that are left out stay', async () => {
    const made = await ownedProgram(service);
    const none = {
      minimum_cents: {},
      schedule: null,
      net_days: 0,
      two_persons: false,
      payer: null,
      next_run_at: null,
      updated_at: null,
    };
    expect(await settingsOf(made)).toEqual(none);
    const payer = { name: 'Acme', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };
    await save(made, { minimum_cents: { USD: 5_000 }, schedule: { day: 15 }, net_days: 30, two_persons: true, payer });
    const saved = {
      minimum_cents: { USD: 5_000 },
      schedule: { day: 15 },
      net_days: 30,
      two_persons: true,
      payer,
      next_run_at: '2026-03-15T00:00:00.000Z',
      updated_at: START.toISOString(),
    };
    expect(await settingsOf(made)).toEqual(saved);
    const { body } = await save(made, { net_days: 0 });
    expect(body.data).toEqual({ ...saved, net_days: 0 });
    expect((await save(made, { schedule: null, payer: null })).body.data).toMatchObject({
      schedule: null,
      next_run_at: null,
      payer: null,
      two_persons: true,
    });
    const stored = await service.sql('select payer_sealed from payout_settings where program_id = $1', [
      made.program.id,
    ]);
    expect(JSON.stringify(stored)).not.toContain('DE89');
  });
});

describe('the schedule', () => {
  it('prepares one draft on its day, whoever runs the job, and tells those who may approve it', async () => {
    const made = await ownedProgram(service);
    const finance = await colleague(service, made);
    await approvedSale(service, await payee(service, made));
    await save(made, { schedule: { day: 15 } });
    await preparePayoutRuns.run(service.ctx);
    expect(await runsOf(made)).toEqual([]);
    service.time = new Date('2026-03-15T00:00:00.000Z');
    await Promise.all([1, 2, 3].map(() => preparePayoutRuns.run(service.ctx)));
    expect(await runsOf(made)).toMatchObject([
      { number: 1, status: 'draft', scheduled: true, made_by: null, left_out_count: 0 },
    ]);
    expect((await settingsOf(made)).next_run_at).toBe('2026-04-15T00:00:00.000Z');
    const mails = await service.sql<{ user_id: string }>(
      `select user_id from mails where kind = 'payout_run_ready' and program_id = $1`,
      [made.program.id],
    );
    expect(mails.map((mail) => mail.user_id).sort()).toEqual([made.owner.userId, finance.userId].sort());
  });

  it('is not said to have made the run of somebody whose account is gone', async () => {
    const made = await ownedProgram(service);
    const finance = await colleague(service, made);
    await approvedSale(service, await payee(service, made));
    await service.call('POST', manage(made, '/payout-runs'), { key: finance.token, body: {} });
    await service.sql('delete from users where id = $1', [finance.userId]);
    expect(await runsOf(made)).toMatchObject([{ number: 1, scheduled: false, made_by: null }]);
  });

  it('makes nothing when nobody would be paid, and goes on with the next month', async () => {
    const made = await ownedProgram(service);
    await save(made, { schedule: { day: 15 } });
    service.time = new Date('2026-03-20T00:00:00.000Z');
    await preparePayoutRuns.run(service.ctx);
    expect(await runsOf(made)).toEqual([]);
    expect((await settingsOf(made)).next_run_at).toBe('2026-04-15T00:00:00.000Z');
  });

  it('anyone with the role approves what it made, even with two persons', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, await payee(service, made));
    await save(made, { schedule: { day: 15 }, two_persons: true });
    service.time = new Date('2026-03-15T00:00:00.000Z');
    await preparePayoutRuns.run(service.ctx);
    const [run] = await runsOf(made);
    expect((await runCall(service, made, 'POST', `/${run.id}/approve`)).body.data.status).toBe('approved');
  });
});

describe('GET …/upcoming', () => {
  it('tells partners the next date, the minimum, and what stands in the way', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made, null);
    await approvedSale(service, jane);
    await save(made, { schedule: { day: 15 }, minimum_cents: { USD: 3_240 } });
    const obstacle = async () => {
      const { body } = await service.call('GET', manage(made, '/upcoming'), { key: jane.account.token });
      const [usd] = body.data;
      expect(usd).toMatchObject({
        next_payout_at: '2026-03-15T00:00:00.000Z',
        minimum_cents: 3_240,
        payable_cents: 2_000,
      });
      return usd.obstacle;
    };
    expect(await obstacle()).toEqual({ reason: 'no_method', until: null, missing_cents: null });
    const until = new Date(service.time.getTime() + 86_400_000);
    await setMethod(service, jane.account.userId, 'paypal', { usableFrom: until });
    expect(await obstacle()).toEqual({ reason: 'method_held', until: until.toISOString(), missing_cents: null });
    await setMethod(service, jane.account.userId, 'iban');
    expect(await obstacle()).toEqual({ reason: 'currency_not_payable', until: null, missing_cents: null });
    await setMethod(service, jane.account.userId, 'paypal', { country: 'CU' });
    expect(await obstacle()).toEqual({ reason: 'country_not_payable', until: null, missing_cents: null });
    await setMethod(service, jane.account.userId, 'paypal');
    expect(await obstacle()).toEqual({ reason: 'below_minimum', until: null, missing_cents: 1_240 });
    await save(made, { minimum_cents: {} });
    const { body } = await service.call('GET', manage(made, '/upcoming'), { key: jane.account.token });
    expect(body.data).toMatchObject([{ obstacle: null }]);
    const brand = await asOwner(service, made, 'GET', '/upcoming');
    expect(brand.body.data).toMatchObject([{ obstacle: null, next_payout_at: '2026-03-15T00:00:00.000Z' }]);
  });
});
