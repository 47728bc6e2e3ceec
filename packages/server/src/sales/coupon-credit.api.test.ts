import { manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { customerIdOf } from '@svc/testkit/service/decisions.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { addCoupon, changeCoupon } from '../coupons/add-coupon.ts';
import { changeMembership } from '../partners/change-membership.ts';
import { findPartner } from '../partners/partner-store.ts';
import type { Program } from '../programs/program.ts';

const service = useService();

/** A program with two partners: Jane, who has a link, and Ben, who has the code `BEN20`. */
async function programWithCoupon(settings: Partial<Program> = {}) {
  const made = await service.program(settings);
  const ben = await service.partner(made.program);
  const coupon = await addCoupon(service.ctx, made.program, { code: 'BEN20', partnerId: ben.partnerId }, OPERATOR);
  return { ...made, jane: made.partnerId, ben: ben.partnerId, benLink: ben.link, coupon };
}

const buy = (on: TestProgram, fields: object) =>
  service.sale({ transaction_id: newId('order'), amount_cents: 10_000, ...fields }, { key: on.apiKey });

/** Who was paid for the latest sale, and what its decision says about the code. */
async function latest({ program }: TestProgram) {
  const [decision] = await service.sql<{ facts: Record<string, unknown>; partnerId: number | null; reason: string }>(
    `select facts, partner_id as "partnerId", reason from decisions where program_id = $1 and kind = 'sale' order by id desc`,
    [program.id],
  );
  const { coupon_code: code, coupon_result: result, coupon_loser_id: loser } = decision?.facts ?? {};
  return { paid: decision?.partnerId ?? null, reason: decision?.reason, code, result, loser };
}

const CREDITED = { reason: 'sale_attributed', code: 'ben20', result: 'credited' };

describe('a coupon code credits its partner without a click', () => {
  it('in any case, with a new customer who stays with the partner', async () => {
    const on = await programWithCoupon();
    const { status, body } = await buy(on, { customer_key: 'user_1', coupon_code: ' ben20 ' });
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: { attributed: true, commission_cents: 2_000, commission_id: expect.any(Number) },
    });
    expect(await latest(on)).toEqual({ ...CREDITED, paid: on.ben });
    // Without the code, months later: the customer is the partner's.
    service.advance({ days: 100 });
    expect((await buy(on, { customer_key: 'user_1' })).status).toBe(200);
    expect(await latest(on)).toMatchObject({ paid: on.ben, reason: 'sale_attributed' });
    expect(
      await service.sql('select customer_key, status, partner_id, link_id from customers where program_id = $1', [
        on.program.id,
      ]),
    ).toEqual([{ customer_key: 'user_1', status: 'conversion', partner_id: on.ben, link_id: null }]);
  });

  it('without any identifier of the customer', async () => {
    const on = await programWithCoupon();
    expect((await buy(on, { coupon_code: 'BEN20' })).status).toBe(200);
    expect(await latest(on)).toMatchObject({ paid: on.ben, result: 'credited' });
  });

  it('with a customer who signed up without a click', async () => {
    const on = await programWithCoupon();
    await service.lead({ customer_key: 'user_1' }, { key: on.apiKey });
    expect((await buy(on, { customer_key: 'user_1', coupon_code: 'BEN20' })).status).toBe(200);
    expect(await latest(on)).toMatchObject({ paid: on.ben, result: 'credited', loser: undefined });
  });

  it('adds no customer for a sale that is already recorded', async () => {
    const on = await programWithCoupon();
    const sale = { transaction_id: newId('order'), coupon_code: 'BEN20' };
    expect((await buy(on, sale)).status).toBe(200);
    expect((await buy(on, sale)).status).toBe(409);
    expect(await service.counts(on.program.id)).toMatchObject({ customers: 1, sales: 1, commissions: 1 });
    const [repeated] = await service.sql(
      `select reason, customer_id as customer from decisions where program_id = $1 and kind = 'sale' order by id desc`,
      [on.program.id],
    );
    expect(repeated).toEqual({ reason: 'duplicate_transaction', customer: null });
  });
});

describe('whoever had the customer first keeps them', () => {
  it('and the decision names the partner of the code', async () => {
    const on = await programWithCoupon();
    await service.customer(on, 'user_1');
    await buy(on, { customer_key: 'user_1', coupon_code: 'BEN20' });
    expect(await latest(on)).toMatchObject({ paid: on.jane, result: 'kept', loser: on.ben });
  });

  it('until their click is too old: the code then takes the customer', async () => {
    const on = await programWithCoupon();
    const click_id = await service.clickId(on.link);
    service.advance({ days: 61 });
    expect((await buy(on, { click_id, coupon_code: 'BEN20' })).body.data.attributed).toBe(true);
    expect(await latest(on)).toMatchObject({ paid: on.ben, result: 'credited', loser: on.jane });
  });

  it('and so does a code with a renewal', async () => {
    const on = await programWithCoupon({ commissionType: 'recurring_percent' });
    const click_id = await service.clickId(on.link);
    service.advance({ days: 61 });
    await buy(on, { click_id, coupon_code: 'BEN20', is_recurring: true });
    expect(await latest(on)).toMatchObject({ paid: on.ben, result: 'credited', loser: on.jane });
  });

  it('and a code of their own renews a click that is too old', async () => {
    const on = await programWithCoupon();
    const click_id = await service.clickId(on.benLink);
    service.advance({ days: 61 });
    await buy(on, { click_id, coupon_code: 'BEN20' });
    expect(await latest(on)).toMatchObject({ paid: on.ben, result: 'credited', loser: undefined });
  });
});

describe('where codes win', () => {
  it('the code takes the customer over, and what was paid before stays', async () => {
    const on = await programWithCoupon({ couponsWin: true });
    await service.customer(on, 'user_1');
    await buy(on, { customer_key: 'user_1' });
    await buy(on, { customer_key: 'user_1', coupon_code: 'BEN20' });
    expect(await latest(on)).toMatchObject({ paid: on.ben, result: 'credited', loser: on.jane });
    await buy(on, { customer_key: 'user_1' });
    const paid = await service.sql('select partner_id from commissions where program_id = $1 order by id', [
      on.program.id,
    ]);
    expect(paid).toEqual([{ partner_id: on.jane }, { partner_id: on.ben }, { partner_id: on.ben }]);
  });

  it('a renewal with the code moves nobody', async () => {
    const on = await programWithCoupon({ couponsWin: true, commissionType: 'recurring_percent' });
    await service.customer(on, 'user_1');
    await buy(on, { customer_key: 'user_1', coupon_code: 'BEN20', is_recurring: true });
    expect(await latest(on)).toMatchObject({ paid: on.jane, result: 'kept', loser: on.ben });
  });
});

describe('a code that credits nobody is named in the decision, and the sale is judged without it', () => {
  const block = async (on: TestProgram & { ben: number }) => {
    const partner = await findPartner(service.ctx.db, on.program.id, on.ben);
    if (partner) await changeMembership(service.ctx, on.program, partner, { status: 'blocked' }, OPERATOR);
  };
  it.each<[string, string, (on: Awaited<ReturnType<typeof programWithCoupon>>) => Promise<unknown>]>([
    ['an unknown code', 'unknown', (on) => service.sql('delete from coupons where id = $1', [on.coupon])],
    [
      'a code that is switched off',
      'inactive',
      (on) => changeCoupon(service.ctx, on.program, on.coupon, { active: false }, OPERATOR),
    ],
    ['the code of a blocked partner', 'partner_inactive', block],
  ])('%s', async (_what, result, prepare) => {
    const on = await programWithCoupon();
    await service.customer(on, 'user_1');
    await prepare(on);
    await buy(on, { customer_key: 'user_1', coupon_code: 'BEN20' });
    expect(await latest(on)).toMatchObject({ paid: on.jane, code: 'BEN20', result });
    expect((await buy(on, { customer_key: 'user_2', coupon_code: 'BEN20' })).status).toBe(400);
    expect(await latest(on)).toMatchObject({ paid: null, reason: 'customer_not_found', result });
    expect(await service.counts(on.program.id)).toMatchObject({ customers: 1, sales: 1 });
  });

  it('the code of a program that is paused', async () => {
    const on = await programWithCoupon();
    await service.sql(`update programs set status = 'paused' where id = $1`, [on.program.id]);
    expect((await buy(on, { customer_key: 'user_2', coupon_code: 'BEN20' })).status).toBe(400);
    expect(await latest(on)).toMatchObject({ paid: null, reason: 'customer_not_found', result: 'program_inactive' });
  });

  it('a code of another program', async () => {
    const on = await service.program();
    await programWithCoupon();
    expect((await buy(on, { customer_key: 'user_1', coupon_code: 'BEN20' })).status).toBe(400);
    expect(await latest(on)).toMatchObject({ result: 'unknown' });
  });

  it('in test mode, where nobody becomes anybody’s customer', async () => {
    const on = await programWithCoupon();
    const test = { additional_data: { test_mode: true }, coupon_code: 'BEN20', customer_key: 'user_1' };
    expect((await buy(on, test)).status).toBe(200);
    expect(await latest(on)).toEqual({ paid: null, reason: 'test_event', code: 'BEN20', result: 'credited' });
    expect(await service.counts(on.program.id)).toMatchObject({ customers: 0, commissions: 0 });
  });
});

it('a partner who buys with their own code is held for review, as with their own link', async () => {
  const on = await programWithCoupon();
  const [partner] = await service.sql<{ email: string }>('select email from partners where id = $1', [on.ben]);
  await service.lead({ customer_key: 'user_1', email: partner?.email }, { key: on.apiKey });
  await buy(on, { customer_key: 'user_1', coupon_code: 'BEN20' });
  expect(await latest(on)).toMatchObject({ paid: on.ben, reason: 'self_referral', result: 'credited' });
});

it('many sales with codes of two partners at once make one customer of one of them, and pay each sale once', async () => {
  const on = await programWithCoupon();
  await addCoupon(service.ctx, on.program, { code: 'JANE20', partnerId: on.jane }, OPERATOR);
  const sales = Array.from({ length: 12 }, (_, index) =>
    buy(on, { customer_key: 'user_1', coupon_code: index % 2 ? 'BEN20' : 'jane20' }),
  );
  expect((await Promise.all(sales)).map(({ status }) => status)).toEqual(sales.map(() => 200));
  expect(await service.counts(on.program.id)).toMatchObject({ customers: 1, sales: 12, commissions: 12 });
  const paid = await service.sql('select distinct partner_id from commissions where program_id = $1', [on.program.id]);
  const [owner] = await service.sql('select partner_id from customers where program_id = $1', [on.program.id]);
  expect(paid).toEqual([owner]);
});

it('the code of a sale does not make a customer of a click theirs that another program has', async () => {
  const [on, other] = [await programWithCoupon(), await service.program()];
  const click_id = await service.clickId(other.link);
  expect((await buy(on, { click_id, coupon_code: 'BEN20' })).status).toBe(200);
  const [untouched] = await service.sql('select partner_id from customers where id = $1', [customerIdOf(click_id)]);
  expect(untouched).toEqual({ partner_id: other.partnerId });
});

describe('coupons', () => {
  const call = (made: Awaited<ReturnType<typeof ownedProgram>>, method: string, path: string, body?: object) =>
    service.call(method, manage(made, path), { key: made.owner.token, body });

  it('belong to one partner, however they are written, and are listed and switched off', async () => {
    const made = await ownedProgram(service);
    const ben = await service.partner(made.program);
    const added = await call(made, 'POST', '/coupons', { code: ' Été20 ', partner_id: made.partnerId });
    const coupon = { code: 'Été20', partner_id: made.partnerId, partner_name: 'Jane', active: true };
    expect(added).toMatchObject({ status: 201, body: { data: coupon } });
    const taken = await call(made, 'POST', '/coupons', { code: 'éTÉ20'.normalize('NFD'), partner_id: ben.partnerId });
    expect(taken.status).toBe(409);
    const { id } = added.body.data;
    const off = await call(made, 'PATCH', `/coupons/${id}`, { active: false });
    expect(off).toMatchObject({ status: 200, body: { data: { ...coupon, id, active: false } } });
    await call(made, 'POST', '/coupons', { code: 'BEN20', partner_id: ben.partnerId });
    const codes = async (query: string) =>
      (await call(made, 'GET', `/coupons${query}`)).body.data.map(({ code }: { code: string }) => code);
    expect(await codes('')).toEqual(['BEN20', 'Été20']);
    expect(await codes('?active=true')).toEqual(['BEN20']);
    expect(await codes(`?partner_id=${made.partnerId}`)).toEqual(['Été20']);
    expect(await codes('?q=ben')).toEqual(['BEN20']);
    const [page] = [await call(made, 'GET', '/coupons?limit=1')];
    const next = await call(made, 'GET', `/coupons?limit=1&cursor=${page.body.meta.next_cursor}`);
    expect(next.body).toMatchObject({ data: [{ code: 'Été20' }], meta: { next_cursor: null } });
  });

  it.each([
    ['a zero-width space', 'BEN\u200b20'],
    ['a soft hyphen', 'BEN\u00ad20'],
    ['a word joiner', 'BEN\u206020'],
    ['a mark that turns the direction of text', 'BEN\u202e20'],
    ['a variation selector', 'BEN\ufe0f20'],
    ['a tag', 'BEN\u{e0041}20'],
    ['a filler', 'BEN\u316420'],
    ['a joiner of glyphs', 'BEN\u034f20'],
    ['a control character', 'BEN\u000720'],
    ['a line separator', 'BEN\u202820'],
  ])('cannot be told apart with %s, which is refused', async (_what, code) => {
    const made = await ownedProgram(service);
    const { status, body } = await call(made, 'POST', '/coupons', { code, partner_id: made.partnerId });
    expect([status, body.error.message]).toEqual([400, 'code must not contain invisible characters']);
  });

  it.each(['B\u0415N20', '\u0392EN20', 'BEN\u043e', 'SUMMER\u2c9f', '\u13aaPRIL'])(
    '%s mixes alphabets, which is refused',
    async (code) => {
      const made = await ownedProgram(service);
      const { status, body } = await call(made, 'POST', '/coupons', { code, partner_id: made.partnerId });
      expect([status, body.error.message]).toEqual([400, 'code must not mix letters of different alphabets']);
    },
  );

  it.each(['ВЕСНА-20', 'ΚΑΛΟΚΑΙΡΙ', 'Été 20 %', '夏セールVIP', '여름20', 'SALE½', 'ＢＥＮ', '🎉10'])(
    'may be written in one alphabet, such as %s',
    async (code) => {
      const made = await ownedProgram(service);
      const { status, body } = await call(made, 'POST', '/coupons', { code, partner_id: made.partnerId });
      expect([status, body.data.code]).toEqual([201, code]);
    },
  );

  it('are at most 100 for a partner', async () => {
    const made = await ownedProgram(service);
    await service.sql(
      `insert into coupons (program_id, partner_id, code, code_key, created_at)
       select $1, $2, n::text, n::text, now() from generate_series(1, 100) n`,
      [made.program.id, made.partnerId],
    );
    const { status, body } = await call(made, 'POST', '/coupons', { code: 'ONE-MORE', partner_id: made.partnerId });
    expect([status, body.error.message]).toEqual([
      409,
      'This partner has 100 coupon codes, which is the most. Use one of them.',
    ]);
  });
});
