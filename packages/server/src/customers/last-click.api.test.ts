import { publish } from '@svc/testkit/service/published-terms.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { untilChangesAreKnown } from '@svc/testkit/service/stores/until-changes-are-known.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { addCoupon } from '../coupons/add-coupon.ts';
import { findProgram } from '../programs/program-store.ts';
import { explain } from '../reporting/explain.ts';
import { recordSale } from '../sales/record-sale.ts';
import { changeAttribution } from './change-attribution.ts';

const service = useService();

type Settings = Parameters<typeof service.program>[0];

/** A program that credits last clicks, with Jane, who is clicked first, and Ben. */
async function lastClickProgram(settings: Settings = {}) {
  const jane = await service.program(settings);
  await publish(service, jane, [], { attribution: 'last' });
  return { jane, ben: await service.partner(jane.program) };
}

const idOf = (clickId: string) => Number(clickId.split('_')[1]);

/** The same visitor clicks another link, some time later. */
async function clickAgain(existing_click_id: string, link: string, extra: object = {}): Promise<string> {
  service.advance({ days: 1 });
  return service.clickId(link, { existing_click_id, ...extra });
}

let transactions = 0;
const sell = ({ apiKey }: TestProgram, who: object) => {
  transactions += 1;
  service.advance({ days: 1 });
  return service.sale({ transaction_id: `last-${transactions}`, amount_cents: 10_000, ...who }, { key: apiKey });
};

const signUp = ({ apiKey }: TestProgram, click_id: string, customer_key = `user-${click_id}`) => {
  service.advance({ seconds: 3600 });
  return service.lead({ click_id, customer_key }, { key: apiKey });
};

const holderOf = async (clickId: string) =>
  (
    await service.sql<{ partner: number }>('select partner_id as partner from customers where id = $1', [idOf(clickId)])
  )[0]?.partner;

const salesOf = (clickId: string) =>
  service.sql<{ partner: number; cents: number | null }>(
    `select s.partner_id as partner, m.commission_cents as cents from sales s left join commissions m on m.sale_id = s.id
     where s.customer_id = $1 order by s.id`,
    [idOf(clickId)],
  );

describe('where the terms credit the last click', () => {
  it('a sale credits the partner of the last click, and so do later sales, whatever is clicked in between', async () => {
    const { jane, ben } = await lastClickProgram();
    const clickId = await service.clickId(jane.link);
    expect(await clickAgain(clickId, ben.link)).toBe(clickId);
    expect((await sell(jane, { click_id: clickId })).body.data).toMatchObject({ attributed: true });
    await clickAgain(clickId, jane.link);
    await sell(jane, { click_id: clickId });
    expect(await salesOf(clickId)).toEqual([
      { partner: ben.partnerId, cents: 2_000 },
      { partner: ben.partnerId, cents: 2_000 },
    ]);
    expect(await holderOf(clickId)).toBe(ben.partnerId);
  });

  it('a signup decides, and a click after it changes nothing', async () => {
    const { jane, ben } = await lastClickProgram();
    const clickId = await service.clickId(jane.link);
    await clickAgain(clickId, ben.link);
    await signUp(jane, clickId);
    expect(await holderOf(clickId)).toBe(ben.partnerId);
    await clickAgain(clickId, jane.link);
    await sell(jane, { customer_key: `user-${clickId}` });
    expect(await salesOf(clickId)).toEqual([{ partner: ben.partnerId, cents: 2_000 }]);
  });

  it('the link, the sub-id and the window are those of the last click', async () => {
    const { jane, ben } = await lastClickProgram({ attributionWindowDays: 10 });
    const clickId = await service.clickId(`${jane.link}&sub=newsletter`);
    service.advance({ days: 15 });
    await service.clickId(`${ben.link}&sub=video`, { existing_click_id: clickId });
    expect((await sell(jane, { click_id: clickId })).body.data).toMatchObject({ attributed: true });
    const [customer] = await service.sql(
      `select l.short_link, c.sub, m.partner_id from customers c join links l on l.id = c.link_id
       join memberships m on m.id = c.membership_id where c.id = $1`,
      [idOf(clickId)],
    );
    expect(customer).toEqual({ short_link: ben.link, sub: 'video', partner_id: ben.partnerId });
  });

  it('an expired last click earns nothing and decides nothing', async () => {
    const { jane, ben } = await lastClickProgram({ attributionWindowDays: 10 });
    const clickId = await service.clickId(jane.link);
    await clickAgain(clickId, ben.link);
    service.advance({ days: 30 });
    expect((await sell(jane, { click_id: clickId })).body.data).toMatchObject({ attributed: false });
    expect(await salesOf(clickId)).toEqual([]);
    expect(await holderOf(clickId)).toBe(jane.partnerId);
    await clickAgain(clickId, ben.link);
    await sell(jane, { click_id: clickId });
    expect(await salesOf(clickId)).toEqual([{ partner: ben.partnerId, cents: 2_000 }]);
  });

  it('a bounty for the signup goes to the partner of the last click', async () => {
    const jane = await service.program();
    const ben = await service.partner(jane.program);
    const bounty = { on: 'lead', pays: { type: 'fixed', rate: 3 } } as const;
    await publish(service, jane, [bounty], { attribution: 'last' });
    const clickId = await service.clickId(jane.link);
    await clickAgain(clickId, ben.link);
    await signUp(jane, clickId);
    const paid = await service.sql(
      `select m.partner_id, commission_cents, short_link from commissions m join links l on l.id = m.link_id
       where m.customer_id = $1`,
      [idOf(clickId)],
    );
    expect(paid).toEqual([{ partner_id: ben.partnerId, commission_cents: 300, short_link: ben.link }]);
  });

  it('Explain names the rule, the click and the first click', async () => {
    const { jane, ben } = await lastClickProgram();
    service.time = new Date('2031-03-01T10:00:00Z');
    const clickId = await service.clickId(jane.link);
    await clickAgain(clickId, ben.link);
    await signUp(jane, clickId);
    await sell(jane, { click_id: clickId });
    const decisions = await explain(service.ctx, jane.program.id, { clickId });
    const words =
      'Credited by the last click, of Mar 2, 2031, 10:00 AM UTC. The first click was on Mar 1, 2031, 10:00 AM UTC.';
    expect(decisions.map(({ kind, attribution, partnerId }) => ({ kind, attribution, partnerId }))).toEqual([
      { kind: 'lead', attribution: words, partnerId: ben.partnerId },
      { kind: 'sale', attribution: words, partnerId: ben.partnerId },
    ]);
  });
});

/** What a click could read or write. */
const ABOUT_CLICKS = /\b(?:clicks|customers|links|programs|program_keys|memberships|partners|terms_versions)\b/;

it('a later click sends the same statements, whichever click is credited', async () => {
  const { db } = service.ctx;
  const query = db.query.bind(db);
  const sent = { first: [] as string[], last: [] as string[] };
  for (const attribution of ['first', 'last'] as const) {
    const jane = await service.program();
    const ben = await service.partner(jane.program);
    await publish(service, jane, [], { attribution });
    const clickId = await service.clickId(jane.link);
    await untilChangesAreKnown(db);
    const again = { existing_click_id: clickId };
    await service.clickId(ben.link, again);
    db.query = (sql: string, params?: unknown[]) => {
      // Events of the program are numbered in the background.
      if (ABOUT_CLICKS.test(sql)) sent[attribution].push(sql);
      return query(sql, params) as never;
    };
    try {
      expect(await service.clickId(ben.link, again)).toBe(clickId);
    } finally {
      db.query = query as never;
    }
  }
  expect(sent.first).toEqual([expect.stringContaining('insert into clicks')]);
  expect(sent.last).toEqual(sent.first);
});

describe('a later click through a redirect', () => {
  const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const headers = { 'user-agent': CHROME };

  /** Opens the short address of a link, some time later. Returns where it leads, and the click id there. */
  async function follow(link: string): Promise<{ page: string; recorded: string }> {
    service.advance({ days: 1 });
    const page = String((await service.call('GET', `/r/${link}`, { headers })).headers.location);
    return { page, recorded: new URL(page).searchParams.get('svc_click_id') ?? '' };
  }

  /** The tracker of the page reports it, with the id that the visitor has. */
  const report = async (affiliate_url: string, existing_click_id: string) =>
    (await service.click({ affiliate_url, existing_click_id }, { headers })).body.click_id;

  const clicksOf = async ({ program }: TestProgram) =>
    (
      await service.sql('select customer_id, partner_id from clicks where program_id = $1 order by id', [program.id])
    ).map((click) => [click.customer_id, click.partner_id]);

  it('is the same visitor’s once their page has reported it, and is counted once however often it is reported', async () => {
    const { jane, ben } = await lastClickProgram();
    const clickId = await service.clickId(jane.link, { user_agent: CHROME });
    const { page, recorded } = await follow(ben.link);
    expect(recorded).not.toBe(clickId);
    const before = await service.counts(jane.program.id);
    expect(await report(page, clickId)).toBe(clickId);
    expect(await Promise.all([report(page, clickId), report(page, clickId)])).toEqual([clickId, clickId]);
    expect(await service.counts(jane.program.id)).toEqual(before);
    expect(await clicksOf(jane)).toEqual([
      [idOf(clickId), jane.partnerId],
      [idOf(clickId), ben.partnerId],
    ]);
    await sell(jane, { click_id: clickId });
    expect(await salesOf(clickId)).toEqual([{ partner: ben.partnerId, cents: 2_000 }]);
  });

  it('counts after a first click through a redirect, too, and the first one stays credited under first', async () => {
    for (const attribution of ['last', 'first'] as const) {
      const jane = await service.program();
      const ben = await service.partner(jane.program);
      await publish(service, jane, [], { attribution });
      const { recorded: clickId } = await follow(jane.link);
      const { page } = await follow(ben.link);
      expect(await report(page, clickId)).toBe(clickId);
      await sell(jane, { click_id: clickId });
      expect(await holderOf(clickId)).toBe(attribution === 'last' ? ben.partnerId : jane.partnerId);
      expect((await clicksOf(jane)).map(([customer]) => customer)).toEqual([idOf(clickId), idOf(clickId)]);
    }
  });

  it('is left to whoever uses its id: others who open the same address click anew', async () => {
    const { jane, ben } = await lastClickProgram();
    const [clickId, other] = [await service.clickId(jane.link), await service.clickId(jane.link)];
    const signedUp = await follow(ben.link);
    await signUp(jane, signedUp.recorded);
    const returned = await follow(ben.link);
    await clickAgain(returned.recorded, jane.link);
    const joined = await follow(ben.link);
    await report(joined.page, other);
    const old = await follow(ben.link);
    service.advance({ days: 2 });
    const own = (await clicksOf(jane)).filter(([customer]) => customer === idOf(clickId)).length;
    for (const { page } of [signedUp, returned, joined, old]) expect(await report(page, clickId)).toBe(clickId);
    const clicks = await clicksOf(jane);
    expect(clicks.filter(([customer]) => customer === idOf(clickId))).toHaveLength(own + 4);
    const kept = [signedUp.recorded, returned.recorded, old.recorded, other].map(idOf);
    for (const customer of kept) expect(clicks).toContainEqual([customer, ben.partnerId]);
  });

  it('is nobody’s in another program, by a guessed id, or with another link', async () => {
    const { jane, ben } = await lastClickProgram();
    const stranger = await service.program({ workspaceId: jane.workspaceId });
    const clickId = await service.clickId(jane.link);
    const { page, recorded } = await follow(ben.link);
    const theirs = await service.clickId(stranger.link);
    await report(page.replace(ben.link, stranger.link), theirs);
    await report(page.replace(ben.link, jane.link), clickId);
    await report(page, theirs);
    await report(
      page.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)),
      clickId,
    );
    expect(await clicksOf(jane)).toContainEqual([idOf(recorded), ben.partnerId]);
  });
});

describe('which terms decide', () => {
  it('the first click is credited unless the terms say otherwise', async () => {
    const jane = await service.program();
    const ben = await service.partner(jane.program);
    const clickId = await service.clickId(jane.link);
    await clickAgain(clickId, ben.link);
    await sell(jane, { click_id: clickId });
    expect(await salesOf(clickId)).toEqual([{ partner: jane.partnerId, cents: 2_000 }]);
    const [decision] = await explain(service.ctx, jane.program.id, { clickId });
    expect(decision?.attribution).toBeNull();
  });

  it.each([
    ['first', 'last'],
    ['last', 'first'],
  ] as const)('a change from %s to %s click moves nobody who has signed up', async (before, after) => {
    const jane = await service.program();
    const ben = await service.partner(jane.program);
    await publish(service, jane, [], { attribution: before });
    const clickId = await service.clickId(jane.link);
    await clickAgain(clickId, ben.link);
    await signUp(jane, clickId);
    const holder = await holderOf(clickId);
    expect(holder).toBe(before === 'last' ? ben.partnerId : jane.partnerId);
    await publish(service, jane, [], { attribution: after });
    await sell(jane, { click_id: clickId });
    expect(await salesOf(clickId)).toEqual([{ partner: holder, cents: 2_000 }]);
  });

  it('the version in force at the conversion decides, and a scheduled one only once it has begun', async () => {
    const jane = await service.program();
    const ben = await service.partner(jane.program);
    const begins = new Date(service.time.getTime() + 10 * 86_400_000);
    await publish(service, jane, [], { attribution: 'last', since: begins });
    const early = await service.clickId(jane.link);
    const late = await service.clickId(jane.link);
    await clickAgain(early, ben.link);
    await clickAgain(late, ben.link);
    await sell(jane, { click_id: early });
    service.time = new Date(begins.getTime() + 1000);
    await sell(jane, { click_id: late });
    expect([await holderOf(early), await holderOf(late)]).toEqual([jane.partnerId, ben.partnerId]);
  });

  it('new rules keep the choice, and a version without a word about it does too', async () => {
    const { jane } = await lastClickProgram();
    await publish(service, jane, [{ on: 'sale', pays: { type: 'percent', rate: 5 } }]);
    await service.sql('update programs set commission_rate = 30 where id = $1', [jane.program.id]);
    const versions = await service.sql(
      'select version, attribution from terms_versions where program_id = $1 order by version',
      [jane.program.id],
    );
    expect(versions).toEqual([
      { version: 1, attribution: 'first' },
      { version: 2, attribution: 'last' },
      { version: 3, attribution: 'last' },
      { version: 4, attribution: 'last' },
    ]);
  });
});

describe('a later click does not count', () => {
  /** Ben tries something after Jane's click. Jane stays credited. */
  async function expectJane(jane: TestProgram, clickId: string): Promise<void> {
    expect((await sell(jane, { click_id: clickId })).body.data).toMatchObject({ attributed: true });
    expect(await salesOf(clickId)).toEqual([{ partner: jane.partnerId, cents: 2_000 }]);
  }

  it('if it was reported with a guessed id', async () => {
    const { jane, ben } = await lastClickProgram();
    const clickId = await service.clickId(jane.link);
    const guesses = [
      clickId.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)),
      clickId.replace(/^cust_\d+/, `cust_${idOf(clickId) + 1}`),
    ];
    for (const guess of guesses) expect(await clickAgain(guess, ben.link)).not.toBe(clickId);
    await expectJane(jane, clickId);
  });

  it('if it came without the id, from the same browser', async () => {
    const { jane, ben } = await lastClickProgram();
    const clickId = await service.clickId(jane.link);
    service.advance({ days: 1 });
    await service.clickId(ben.link);
    await expectJane(jane, clickId);
  });

  it('if another browser has used the id: whoever knows it could have planted any of the clicks', async () => {
    const { jane, ben } = await lastClickProgram();
    const [chrome, safari] = ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0', 'Mozilla/5.0 (iPhone) Safari/605.1.15'];
    const clickId = await service.clickId(jane.link, { user_agent: chrome });
    await clickAgain(clickId, ben.link, { user_agent: safari });
    await clickAgain(clickId, ben.link, { user_agent: chrome });
    await expectJane(jane, clickId);
    const [decision] = await explain(service.ctx, jane.program.id, { clickId });
    expect(decision?.attribution).toMatch(/Later clicks do not count, because they came from several browsers\.$/);
  });

  it('but an update of the browser is no other browser', async () => {
    const { jane, ben } = await lastClickProgram();
    const agent = (version: string, system: string) =>
      `Mozilla/5.0 (iPhone; CPU iPhone OS ${system}) Version/${version}`;
    const clickId = await service.clickId(jane.link, { user_agent: agent('18.1', '18_1') });
    await clickAgain(clickId, ben.link, { user_agent: agent('18.3.1', '18_3_1') });
    await sell(jane, { click_id: clickId });
    expect(await holderOf(clickId)).toBe(ben.partnerId);
  });

  it('if the id was used more often than a person clicks', async () => {
    const { jane, ben } = await lastClickProgram();
    const clickId = await service.clickId(jane.link);
    service.advance({ seconds: 1 });
    await service.sql(
      `insert into clicks (program_id, link_id, partner_id, customer_id, clicked_at)
       select program_id, link_id, $2, customer_id, clicked_at + n * interval '1 second' from clicks, generate_series(1, 200) n
       where customer_id = $1`,
      [idOf(clickId), ben.partnerId],
    );
    await expectJane(jane, clickId);
  });

  it.each(['blocked', 'removed'])('if its partner is %s by then', async (status) => {
    const { jane, ben } = await lastClickProgram();
    const clickId = await service.clickId(jane.link);
    await clickAgain(clickId, ben.link);
    await service.sql('update memberships set status = $2 where partner_id = $1', [ben.partnerId, status]);
    await expectJane(jane, clickId);
  });

  it('if its link was off', async () => {
    const { jane, ben } = await lastClickProgram();
    const clickId = await service.clickId(jane.link);
    await service.sql('update links set active = false where short_link = $1', [ben.link]);
    await clickAgain(clickId, ben.link);
    await expectJane(jane, clickId);
  });

  it('if it was a test, or in another program', async () => {
    const { jane, ben } = await lastClickProgram();
    const other = await service.program({ workspaceId: jane.workspaceId });
    const clickId = await service.clickId(jane.link);
    await clickAgain(clickId, ben.link, { additional_data: { test_mode: true } });
    await clickAgain(clickId, other.link);
    await expectJane(jane, clickId);
  });

  it('if it is of the buyer, who is a partner', async () => {
    const { jane, ben } = await lastClickProgram();
    const clickId = await service.clickId(jane.link);
    await clickAgain(clickId, ben.link);
    service.advance({ seconds: 3600 });
    const lead = { click_id: clickId, customer_key: `user-${clickId}`, email: `${ben.link}@partner.test` };
    await service.lead(lead, { key: jane.apiKey });
    await expectJane(jane, clickId);
  });

  it('if it came after the signup that a page reported, even if a sale is the first to confirm anything', async () => {
    const { jane, ben } = await lastClickProgram({ leadAuth: 'server_required' });
    const clickId = await service.clickId(jane.link);
    service.advance({ seconds: 3600 });
    await service.lead({ click_id: clickId, customer_key: `user-${clickId}` });
    await clickAgain(clickId, ben.link);
    await expectJane(jane, clickId);
  });

  it('if a person has assigned the customer, or a coupon has', async () => {
    const { jane, ben } = await lastClickProgram({ couponsWin: true });
    const carol = await service.partner(jane.program);
    await addCoupon(service.ctx, jane.program, { code: 'CAROL', partnerId: carol.partnerId }, OPERATOR);
    const assigned = await service.clickId(jane.link);
    const couponed = await service.clickId(jane.link);
    const assignment = { partnerId: carol.partnerId, reason: 'They met at a fair', actor: OPERATOR };
    await changeAttribution(service.ctx, jane.program, idOf(assigned), assignment);
    await clickAgain(assigned, ben.link);
    await clickAgain(couponed, ben.link);
    await sell(jane, { click_id: assigned });
    await sell(jane, { click_id: couponed, coupon_code: 'CAROL' });
    expect([await holderOf(assigned), await holderOf(couponed)]).toEqual([carol.partnerId, carol.partnerId]);
  });
});

describe('the order of reports', () => {
  it('a payment from before the last click credits the partner of its time, however late it is reported', async () => {
    const { jane, ben } = await lastClickProgram();
    const clickId = await service.clickId(jane.link);
    service.advance({ days: 2 });
    const paidEarly = service.time;
    await clickAgain(clickId, ben.link);
    await sell(jane, { click_id: clickId });
    const program = (await findProgram(service.ctx.db, jane.program.id))!;
    const late = {
      transactionId: `late-${clickId}`,
      customerKey: undefined,
      clickId,
      paidAt: paidEarly,
      amountCents: 10_000,
      currency: 'USD',
      saleType: 'payment',
      isRecurring: false,
      isTest: false,
      source: 'processor',
      requestId: null,
    } as const;
    await recordSale(service.ctx, program, late);
    expect(await salesOf(clickId)).toEqual([
      { partner: ben.partnerId, cents: 2_000 },
      { partner: jane.partnerId, cents: 2_000 },
    ]);
    expect(await holderOf(clickId)).toBe(ben.partnerId);
  });

  it('of many signups and sales at once, one decides and all agree', async () => {
    const { jane, ben } = await lastClickProgram();
    const clickId = await service.clickId(jane.link);
    await clickAgain(clickId, ben.link);
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 3 === 0
          ? service.lead({ click_id: clickId, customer_key: `at-once-${clickId}` }, { key: jane.apiKey })
          : sell(jane, { click_id: clickId }),
      ),
    );
    const sales = await salesOf(clickId);
    expect(sales).toHaveLength(8);
    expect(new Set(sales.map(({ partner }) => partner))).toEqual(new Set([ben.partnerId]));
    const moves = await service.sql(
      'select since::text, partner_id from attributions where customer_id = $1 order by since',
      [idOf(clickId)],
    );
    expect(moves).toEqual([
      { since: '-infinity', partner_id: jane.partnerId },
      { since: expect.any(String), partner_id: ben.partnerId },
    ]);
  });
});
