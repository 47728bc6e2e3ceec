import { publish } from '@svc/testkit/service/published-terms.ts';
import { expect, it } from 'vitest';
import { clickIdOn, queueDone, trackerOn } from '../test/visitor.ts';
import { BUILDS, describeInBrowser, SHARED_CODE, startWorld } from '../test/world.ts';

const world = startWorld();
const origin = () => world.site.origin('www.acme.test');

describeInBrowser.each(BUILDS)('a click that a redirect has recorded, with the %s', (build) => {
  it('is kept and not reported again, and the signup and the sale are the partner’s', async () => {
    const program = await world.program();
    const recorded = await world.service.clickId(program.link);
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });

    const page = await visitor.open(`${origin()}${path}?aff=${program.link}&svc_click_id=${recorded}`);
    expect(await clickIdOn(page)).toBe(recorded);
    await page.evaluate(() => window.svc.signup('user_1', 'ann@example.com'));

    expect(visitor.clicks).toEqual([]);
    const cookies = await visitor.cookies();
    expect(cookies.svc_click_id).toMatchObject({ value: recorded, domain: '.acme.test', path: '/', secure: true });
    expect(cookies.svc_aff?.value).toBe(program.link);
    expect(((cookies.svc_click_id?.expires ?? 0) - Date.now() / 1000) / 86_400).toBeCloseTo(60, 1);
    const { customers, clicks } = await world.stored(program);
    expect(clicks).toHaveLength(1);
    expect(customers).toMatchObject([{ partner_id: program.partnerId, customer_key: 'user_1', status: 'lead' }]);
    const sale = { transaction_id: `order_${recorded}`, customer_key: 'user_1', amount_cents: 4900 };
    const { body } = await world.service.sale(sale, { key: program.apiKey });
    expect(body.data).toMatchObject({ attributed: true, commission_cents: 980 });
  });
});

// Both builds read and leave the address with the same code.
describeInBrowser.each(SHARED_CODE)('the click of a redirect, with the %s', (build) => {
  it.each([
    ['alone', '?aff=AFF&svc_click_id=ID', ''],
    ['at the end', '?plan=a%20b&aff=AFF&svc_click_id=ID#top', '?plan=a+b#top'],
    ['at the start', '?aff=AFF&svc_click_id=ID&plan=pro#/a?x-aff=b', '?plan=pro#/a?x-aff=b'],
    ['apart', '?aff=AFF&plan=pro&svc_click_id=ID&x-aff=1', '?plan=pro&x-aff=1'],
    ['the other way round', '?svc_click_id=ID&plan=pro&aff=AFF', '?plan=pro'],
  ])('leaves the address: parameters that are %s', async (_where, query, left) => {
    const program = await world.program();
    const recorded = await world.service.clickId(program.link);
    const visitor = await world.visitor();
    const setup = {
      programId: program.program.id,
      head: `<script>history.replaceState({ entries: history.length }, '')</script>`,
    };
    const path = world.site.path(build, setup);
    const filled = query.replace('AFF', program.link).replace('ID', recorded);

    const page = await visitor.open(`${origin()}${path}${filled}`);
    await clickIdOn(page);
    await page.waitForFunction(() => !location.search.includes('svc_click_id'));

    expect(page.url()).toBe(`${origin()}${path}${left}`);
    expect(await page.evaluate(() => history.state.entries === history.length)).toBe(true);
    await page.reload();
    await queueDone(page);
    expect(visitor.clicks).toEqual([]);
    expect(visitor.pageErrors).toEqual([]);
  });

  it('does not replace an earlier one: the visitor keeps their id, and the click is theirs', async () => {
    const program = await world.program();
    const second = await world.service.partner(program.program);
    const visitor = await world.visitor();
    const url = `${origin()}${world.site.path(build, { programId: program.program.id })}`;
    const page = await visitor.open(`${url}?aff=${program.link}`);
    const first = await clickIdOn(page);
    const { expires } = (await visitor.cookies()).svc_click_id ?? {};

    const recorded = await world.service.clickId(second.link);
    await page.goto(`${url}?aff=${second.link}&svc_click_id=${recorded}`);
    await page.waitForURL(url);
    await page.reload();
    await queueDone(page);

    const both = { affiliate_url: `${url}?aff=${second.link}&svc_click_id=${recorded}`, existing_click_id: first };
    expect(visitor.clicks).toMatchObject([{ existing_click_id: null }, both]);
    const cookies = await visitor.cookies();
    expect(cookies.svc_click_id).toMatchObject({ value: first, expires });
    expect(cookies.svc_aff?.value).toBe(second.link);
    const customer_id = Number(first.split('_')[1]);
    expect((await world.stored(program)).clicks).toMatchObject([
      { customer_id, partner_id: program.partnerId },
      { customer_id, partner_id: second.partnerId },
    ]);
  });

  it('has nothing to report if the redirect knew the visitor', async () => {
    const program = await world.program();
    const second = await world.service.partner(program.program);
    const visitor = await world.visitor();
    const url = `${origin()}${world.site.path(build, { programId: program.program.id })}`;
    const page = await visitor.open(`${url}?aff=${program.link}`);
    const first = await clickIdOn(page);
    await world.service.clickId(second.link, { existing_click_id: first });

    await page.goto(`${url}?aff=${second.link}&svc_click_id=${first}`);
    await page.waitForURL(url);
    await page.goto(`${url}?aff=${program.link}`);
    await queueDone(page);

    // The first click, and the return to the first link.
    expect(visitor.clicks.map((click) => click.existing_click_id)).toEqual([null, first]);
    expect((await world.stored(program)).clicks.map((click) => click.partner_id)).toEqual([
      program.partnerId,
      second.partnerId,
      program.partnerId,
    ]);
  });

  it.each(['cust_1', 'cust_1_x', 'xcust_1_1', 'cust_1_1%0A', '1', 'cust_-1_1', '%3Cscript%3E'])(
    'is reported as usual when its id is not one: %s',
    async (id) => {
      const program = await world.program();
      const visitor = await world.visitor();
      const path = world.site.path(build, { programId: program.program.id });

      const page = await visitor.open(`${origin()}${path}?aff=${program.link}&svc_click_id=${id}`);
      const clickId = await clickIdOn(page);

      expect(visitor.clicks).toHaveLength(1);
      const { customers, clicks } = await world.stored(program);
      expect(clicks).toHaveLength(1);
      expect(clickId).toMatch(new RegExp(`^cust_${customers[0]?.id}_\\d+$`));
    },
  );

  it('is kept only after consent, and stays in the address until then', async () => {
    const program = await world.program();
    const recorded = await world.service.clickId(program.link);
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id, consent: 'pending' });
    const url = `${origin()}${path}?aff=${program.link}&svc_click_id=${recorded}`;
    const page = await visitor.open(url);
    await trackerOn(page);
    await page.waitForLoadState('networkidle');
    expect(await visitor.cookies()).toEqual({});
    expect(await page.evaluate(() => [sessionStorage.length, window.svc.getClickId()])).toEqual([0, null]);
    expect(page.url()).toBe(url);

    await page.evaluate(() => window.svc.consent('denied'));
    expect(await visitor.cookies()).toEqual({});
    await page.evaluate(() => window.svc.consent('granted'));

    expect(await clickIdOn(page)).toBe(recorded);
    await page.waitForFunction(() => location.search === '');
    expect(visitor.clicks).toEqual([]);
    expect((await world.stored(program)).clicks).toHaveLength(1);
  });
});

describeInBrowser('the address of a click without a redirect', () => {
  it('stays as it is', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path('script', { programId: program.program.id });
    const url = `${origin()}${path}?aff=${program.link}&plan=pro#top`;
    const page = await visitor.open(url);
    await clickIdOn(page);
    await queueDone(page);
    expect(page.url()).toBe(url);
  });
});

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

describeInBrowser.each([...BUILDS, null])(
  'a visit through a short address to a page with the tracker as %s',
  (build) => {
    it('is one click', async () => {
      const program = await world.program();
      const options = build === null ? { tag: '' } : { programId: program.program.id };
      const url = `${origin()}${world.site.path(build ?? 'script', options)}`;
      await world.service.sql('update links set destination_url = $2 where short_link = $1', [program.link, url]);
      const visitor = await world.visitor();
      // Redirects take a browser without a window for a bot.
      await visitor.context.setExtraHTTPHeaders({ 'user-agent': CHROME });

      const page = await visitor.open(`${world.front.url}/r/${program.link}?plan=pro`);
      if (build !== null) {
        expect(await clickIdOn(page)).toMatch(/^cust_/);
        await page.waitForFunction(() => location.search === '?plan=pro');
        await page.reload();
        await queueDone(page);
      }
      expect(visitor.clicks).toEqual([]);
      const { customers, clicks } = await world.stored(program);
      expect(clicks).toMatchObject([{ customer_id: customers[0]?.id, partner_id: program.partnerId }]);
      const id = build === null ? new URL(page.url()).searchParams.get('svc_click_id') : await clickIdOn(page);
      expect(id).toMatch(new RegExp(`^cust_${customers[0]?.id}_\\d+$`));
    });
  },
);

describeInBrowser('a visitor of short addresses, where the terms credit the last click', () => {
  /** Two partners whose links lead to a page with the tracker. */
  async function shop(attribution: 'first' | 'last') {
    const jane = await world.program();
    await publish(world.service, jane, [], { attribution });
    const ben = await world.service.partner(jane.program);
    const page = `${origin()}${world.site.path('script', { programId: jane.program.id })}`;
    await world.service.sql('update links set destination_url = $2 where program_id = $1', [jane.program.id, page]);
    return { jane, ben, page };
  }

  it.each([
    ['last', ['tag', 'short']],
    ['last', ['short', 'tag']],
    ['last', ['short', 'short']],
    ['first', ['short', 'short']],
  ] as const)('is credited to the %s partner: %s', async (attribution, ways) => {
    const { jane, ben, page: url } = await shop(attribution);
    const visitor = await world.visitor();
    // Redirects take a browser without a window for a bot.
    await visitor.context.setExtraHTTPHeaders({ 'user-agent': CHROME });
    visitor.isProfileChanged = true;
    const page = await visitor.context.newPage();
    const addressOf = {
      tag: (link: string) => `${url}?aff=${link}`,
      short: (link: string) => `${world.front.url}/r/${link}`,
    };
    const [first, second] = ways;
    world.service.time = new Date();
    await page.goto(addressOf[first](jane.link));
    const id = await clickIdOn(page);
    world.service.advance({ seconds: 5 });
    await page.goto(addressOf[second](ben.link));
    await expect.poll(async () => (await visitor.cookies()).svc_aff?.value).toBe(ben.link);

    const { clicks } = await world.stored(jane);
    const customer_id = Number(id.split('_')[1]);
    expect(clicks).toMatchObject([
      { customer_id, partner_id: jane.partnerId },
      { customer_id, partner_id: ben.partnerId },
    ]);
    expect((await visitor.cookies()).svc_click_id?.value).toBe(id);
    world.service.advance({ seconds: 5 });
    const sale = { transaction_id: `order_${id}`, click_id: id, amount_cents: 4_900 };
    await world.service.sale(sale, { key: jane.apiKey });
    const sold = await world.service.sql('select partner_id from sales where program_id = $1', [jane.program.id]);
    expect(sold).toEqual([{ partner_id: attribution === 'last' ? ben.partnerId : jane.partnerId }]);
  });
});
