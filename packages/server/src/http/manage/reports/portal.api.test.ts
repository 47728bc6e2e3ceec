import { QUESTIONS_PER_DAY } from '@svc/contract';
import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../audit/audit-store.ts';
import { reviewCommission } from '../../../commissions/review-commissions.ts';
import { createPayouts } from '../../../payouts/create-payouts.ts';

const service = useService();

type Partner = TestProgram & { token: string };

/** Two partners of one program. */
async function twoPartners(settings: Parameters<typeof ownedProgram>[1] = {}) {
  const made = await ownedProgram(service, settings);
  const other = { ...made, ...(await service.partner(made.program)) };
  const signedIn = async (partner: TestProgram): Promise<Partner> => ({
    ...partner,
    token: (await partnerAccount(service, partner.partnerId)).token,
  });
  return { made, jane: await signedIn(made), kim: await signedIn(other) };
}

const ask = (partner: { program: OwnedProgram['program']; token: string }, body: object) =>
  service.call('POST', manage(partner, '/questions'), { key: partner.token, body });
const answersTo = async (partner: Partner, body: object) => (await ask(partner, body)).body.data.answers;

/** What a partner is told about things that are not theirs: a sentence, and no fact. */
const told = (answer: string, sentence: unknown = expect.stringMatching(/./)) => ({
  answer,
  sentence,
  transaction_id: null,
  paid_at: null,
  amount_cents: null,
  refunded_cents: null,
  currency: null,
  commission: null,
  click_age_days: null,
  window_days: null,
});

describe('a partner who asks about an order', () => {
  it('is told what it earned, if it is theirs, and whether it was refunded', async () => {
    const { made, jane } = await twoPartners({ holdDays: 30 });
    const { transactionId } = await sold(service, jane);
    const approved_on = new Date(service.time.getTime() + 30 * 86_400_000).toISOString().slice(0, 10);
    expect(await answersTo(jane, { transaction_id: ` ${transactionId} ` })).toMatchObject([
      {
        answer: 'credited',
        transaction_id: transactionId,
        amount_cents: 10_000,
        refunded_cents: 0,
        commission: { status: 'pending', amount_cents: 2000, currency: 'USD', approved_on },
      },
    ]);
    await service.refund({ transaction_id: transactionId }, { key: made.apiKey });
    expect(await answersTo(jane, { transaction_id: transactionId })).toMatchObject([
      { sentence: expect.stringContaining('refunded'), commission: { status: 'reversed', amount_cents: 0 } },
    ]);
  });

  it('is told only that it is credited to another partner, if it is', async () => {
    const { jane, kim } = await twoPartners();
    const { transactionId } = await sold(service, kim);
    expect(await answersTo(jane, { transaction_id: transactionId })).toEqual([told('credited_to_another')]);
  });

  it('is told how old the click was, if the window had passed, and others are not', async () => {
    const { made, jane, kim } = await twoPartners({ attributionWindowDays: 60 });
    const click_id = await service.clickId(jane.link);
    service.advance({ days: 73 });
    await service.lead({ click_id, customer_key: newId('user') }, { key: made.apiKey });
    const transaction_id = newId('order');
    await service.sale({ transaction_id, amount_cents: 100, click_id }, { key: made.apiKey });
    expect(await answersTo(jane, { transaction_id })).toMatchObject([
      {
        answer: 'window_expired',
        sentence: 'Your link was clicked 73 days before the customer signed up. The program counts clicks for 60 days.',
        click_age_days: 73,
        window_days: 60,
      },
    ]);
    expect(await answersTo(kim, { transaction_id })).toEqual([told('not_yours')]);
  });

  it('is told why a sale to their own customer was refused, by its id and by the address; others learn nothing', async () => {
    const { made, jane, kim } = await twoPartners();
    const [customer_key, transaction_id] = [newId('user'), newId('order')];
    const email = `${customer_key}@mail.test`;
    const click_id = await service.clickId(jane.link);
    await service.lead({ click_id, customer_key, email }, { key: made.apiKey });
    const setStatus = (status: string) =>
      service.call('PATCH', manage(made, `/partners/${jane.partnerId}`), { key: made.owner.token, body: { status } });
    await setStatus('blocked');
    const refused = await service.sale({ transaction_id, amount_cents: 100, customer_key }, { key: made.apiKey });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    await setStatus('active');
    const sentence = 'This order came through your link while you were blocked in the program.';
    for (const question of [{ transaction_id }, { email }]) {
      expect(await answersTo(jane, question)).toMatchObject([
        { answer: 'not_recorded', sentence, transaction_id, amount_cents: 100, commission: null },
      ]);
    }
    expect(await answersTo(kim, { transaction_id })).toEqual([told('not_yours')]);
    expect(await answersTo(kim, { email })).toEqual([told('unknown')]);
  });

  it('is told that nobody reported it, also if it is in another program', async () => {
    const { jane } = await twoPartners();
    const { transactionId } = await sold(service, await service.program());
    for (const transaction_id of ['order-nobody', transactionId]) {
      expect(await answersTo(jane, { transaction_id })).toEqual([told('unknown')]);
    }
  });

  it('is told that it could not be recorded, if the request was wrong or named nobody', async () => {
    const { made, jane } = await twoPartners();
    const [wrong, nobody] = [newId('order'), newId('order')];
    await service.sale({ transaction_id: wrong, amount_cents: 'x' }, { key: made.apiKey });
    await service.sale({ transaction_id: nobody, amount_cents: 100, customer_key: 'nobody' }, { key: made.apiKey });
    for (const transaction_id of [wrong, nobody]) {
      expect(await answersTo(jane, { transaction_id })).toEqual([told('not_recorded')]);
    }
  });

  it('learns nothing about a test order', async () => {
    const { made, jane } = await twoPartners();
    const transaction_id = newId('order');
    await service.sale({ transaction_id, additional_data: { test_mode: true } }, { key: made.apiKey });
    expect(await answersTo(jane, { transaction_id })).toEqual([told('unknown')]);
  });
});

describe('a partner who asks about an e-mail address', () => {
  async function signedUp(partner: TestProgram, email: string, link = partner.link): Promise<string> {
    const click_id = await service.clickId(link);
    const customer_key = newId('user');
    await service.lead({ click_id, customer_key, email }, { key: partner.apiKey });
    return customer_key;
  }

  it('is told about the orders of their own customer', async () => {
    const { jane } = await twoPartners();
    const email = `${newId('carol')}@mail.test`;
    const customer_key = await signedUp(jane, email);
    expect(await answersTo(jane, { email })).toEqual([told('no_order_yet')]);
    const transaction_id = newId('order');
    await service.sale({ transaction_id, amount_cents: 100, customer_key }, { key: jane.apiKey });
    expect(await answersTo(jane, { email: email.toUpperCase() })).toMatchObject([
      { answer: 'credited', transaction_id },
    ]);
  });

  it('gets the same answer about a customer of another partner as about somebody unknown', async () => {
    const { jane, kim } = await twoPartners();
    const email = `${newId('carol')}@mail.test`;
    await signedUp(kim, email);
    const unknown = await answersTo(jane, { email: 'nobody@mail.test' });
    expect(unknown).toEqual([told('unknown')]);
    expect(await answersTo(jane, { email })).toEqual(unknown);
  });

  it('is told that a visitor of their link had come through another partner before', async () => {
    const { jane, kim } = await twoPartners();
    const email = `${newId('carol')}@mail.test`;
    const existing_click_id = await service.clickId(kim.link);
    await service.clickId(jane.link, { existing_click_id });
    await service.lead({ click_id: existing_click_id, customer_key: newId('user'), email }, { key: jane.apiKey });
    expect(await answersTo(jane, { email })).toEqual([told('credited_to_another')]);
  });
});

describe('questions', () => {
  it(`are limited to ${QUESTIONS_PER_DAY} a day for a partner, however many sign in`, async () => {
    const { jane } = await twoPartners();
    await service.sql(`insert into partner_questions (program_id, partner_id, day, asked) values ($1, $2, $3, $4)`, [
      jane.program.id,
      jane.partnerId,
      service.time.toISOString().slice(0, 10),
      QUESTIONS_PER_DAY - 1,
    ]);
    const last = await ask(jane, { transaction_id: 'x' });
    expect(last.body.data.questions_left).toBe(0);
    const { status, headers, body } = await ask(jane, { transaction_id: 'x' });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(body.error.message).toContain('Ask again tomorrow');
    service.advance({ days: 1 });
    expect((await ask(jane, { transaction_id: 'x' })).body.data.questions_left).toBe(QUESTIONS_PER_DAY - 1);
  });

  it('of the brand name the partner, and are not limited', async () => {
    const { made, jane } = await twoPartners();
    const { transactionId } = await sold(service, jane);
    const brand = { program: made.program, token: made.owner.token };
    expect(await ask(brand, { transaction_id: transactionId })).toMatchObject({
      body: badRequest('partner_id is required'),
    });
    expect((await ask(brand, { transaction_id: transactionId, partner_id: 999_999_999 })).status).toBe(404);
    const { body } = await ask(brand, { transaction_id: transactionId, partner_id: jane.partnerId });
    expect(body.data).toMatchObject({ answers: [{ answer: 'credited' }], questions_left: null });
  });

  it.each([{}, { transaction_id: '', email: '' }])('need an order or an address: %j', async (body) => {
    const { jane } = await twoPartners();
    expect((await ask(jane, body)).body).toEqual(badRequest('transaction_id or email is required', 'transaction_id'));
  });
});

describe('what comes next', () => {
  const upcoming = async (partner: Partner) =>
    (await service.call('GET', manage(partner, '/upcoming'), { key: partner.token })).body.data;

  it('is what is payable, in payouts and on hold, by currency and day, for this partner only', async () => {
    const { made, jane, kim } = await twoPartners({ holdDays: 10 });
    expect(await upcoming(jane)).toEqual([]);
    await sold(service, kim);
    const paid = await sold(service, jane);
    await reviewCommission(service.ctx, made.program, Number(paid.commissionId), {
      action: 'approve',
      actor: OPERATOR,
    });
    await createPayouts(service.ctx, made.program, { partnerId: jane.partnerId }, { actor: OPERATOR });
    const approved = await sold(service, jane);
    await reviewCommission(service.ctx, made.program, Number(approved.commissionId), {
      action: 'approve',
      actor: OPERATOR,
    });
    const dayIn = (days: number) => new Date(service.time.getTime() + days * 86_400_000).toISOString().slice(0, 10);
    const first = dayIn(10);
    await sold(service, jane, { amount_cents: 5000 });
    const held = await sold(service, jane);
    await service.sql(`update commissions set hold_reason = 'self_referral' where id = $1`, [held.commissionId]);
    service.advance({ days: 1 });
    await sold(service, jane);
    expect(await upcoming(jane)).toEqual([
      {
        currency: 'USD',
        payable_cents: 2000,
        carried_cents: 0,
        in_payouts_cents: 2000,
        in_review_cents: 2000,
        approvals: [
          { on: first, amount_cents: 1000 },
          { on: dayIn(10), amount_cents: 2000 },
        ],
        later_cents: 0,
        next_payout_at: null,
        minimum_cents: 0,
        obstacle: { reason: 'no_method', until: null, missing_cents: null },
      },
    ]);
  });

  it('adds up what is on hold beyond twelve days', async () => {
    const { jane } = await twoPartners({ holdDays: 30 });
    for (let day = 0; day < 14; day += 1) {
      await sold(service, jane);
      service.advance({ days: 1 });
    }
    const [usd] = await upcoming(jane);
    expect(usd.approvals).toHaveLength(12);
    expect(usd.later_cents).toBe(4000);
  });
});

it('the contact of a program is shown to its partners, and can be removed', async () => {
  const { made, jane } = await twoPartners();
  const change = async (body: object) =>
    (await service.call('PATCH', manage(made, ''), { key: made.owner.token, body })).body.data;
  const contact = { contact_email: 'partners@acme.test', contact_url: 'https://acme.test/help' };
  expect(await change(contact)).toMatchObject(contact);
  const me = await service.call('GET', '/api/v1/manage/me', { key: jane.token });
  expect(me.body.data.partner_of).toMatchObject([{ ...contact, hold_days: 30 }]);
  expect(await change({ contact_email: '', contact_url: null })).toMatchObject({
    contact_email: null,
    contact_url: null,
  });
});
