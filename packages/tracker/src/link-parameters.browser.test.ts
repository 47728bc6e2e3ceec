import { expect, it } from 'vitest';
import { clickIdOn, queueDone } from '../test/visitor.ts';
import { describeInBrowser, startWorld } from '../test/world.ts';

const world = startWorld();
const origin = () => world.site.origin('www.acme.test');

/** What other tools put into their links. */
const FOREIGN = ['via', 'ref', 'fpr', '_get', 'gspk', 'gsxid', 'ps_partner_key', 'ps_xid', 'a_aid', 'rfsn'];
/** The first, and one that begins differently. The long version of the suite tries all. */
const TRIED = process.env.SVC_TEST_LONG ? FOREIGN : ['via', '_get'];

/** A page with the program’s own script, or its variant for Stripe. */
const pageWith = (programId: number, variant = '', markup = '') =>
  world.site.path('script', {
    tag: `<script async src="${world.front.url}/js/svc-tracker${variant}-${programId}.js" data-svc-program-id="${programId}"></script>${markup}`,
  });

describeInBrowser('the script of a program with other parameters', () => {
  it.each(TRIED)('credits the partner whom %s names', async (parameter) => {
    const program = await world.program({ linkParameters: FOREIGN });
    const other = await world.service.partner(program.program);
    const visitor = await world.visitor();
    const page = await visitor.open(
      `${origin()}${pageWith(program.program.id)}?utm_source=x&${parameter}=${other.link}#top`,
    );
    const clickId = await clickIdOn(page);

    const sent = new URL(String(visitor.clicks[0]?.affiliate_url));
    expect(sent.searchParams.get('aff')).toBe(other.link);
    // Another program may have the same code.
    expect(visitor.clicks[0]?.program_id).toBe(program.program.id);
    expect([sent.searchParams.get('utm_source'), sent.searchParams.get(parameter), sent.hash]).toEqual([
      'x',
      null,
      '#top',
    ]);
    const { customers, clicks } = await world.stored(program);
    expect(customers).toMatchObject([{ partner_id: other.partnerId }]);
    expect(clicks).toMatchObject([{ partner_id: other.partnerId }]);

    await page.reload();
    await queueDone(page);
    expect(visitor.clicks).toHaveLength(1);
    expect(await clickIdOn(page)).toBe(clickId);
  });

  it.each([
    ['aff before all others', (aff: string, other: string) => `?via=${other}&aff=${aff}`],
    ['the first of the list', (first: string, other: string) => `?ref=${other}&via=${first}`],
    ['the first that is not empty', (first: string) => `?aff=&via=&ref=${first}`],
  ])('takes %s', async (_which, query) => {
    const program = await world.program({ linkParameters: ['via', 'ref'] });
    const other = await world.service.partner(program.program);
    const visitor = await world.visitor();
    await clickIdOn(await visitor.open(`${origin()}${pageWith(program.program.id)}${query(program.link, other.link)}`));
    expect((await world.stored(program)).clicks).toMatchObject([{ partner_id: program.partnerId }]);
  });

  it('reads none of the others, nor does the script that all programs share', async () => {
    const program = await world.program({ linkParameters: ['via'] });
    const visitor = await world.visitor();
    const shared = world.site.path('script', { programId: program.program.id });
    for (const address of [`${pageWith(program.program.id)}?ref=${program.link}`, `${shared}?via=${program.link}`]) {
      const page = await visitor.open(`${origin()}${address}`);
      await queueDone(page);
    }
    expect(visitor.clicks).toEqual([]);
  });

  it('keeps the click of a redirect for the program’s days, and takes every name of the partner off the address', async () => {
    const program = await world.program({ linkParameters: ['via'], cookieWindowDays: 7 });
    const recorded = await world.service.clickId(program.link);
    const visitor = await world.visitor();
    const path = pageWith(program.program.id);
    const page = await visitor.open(`${origin()}${path}?via=jane&x=1&aff=${program.link}&svc_click_id=${recorded}`);
    expect(await clickIdOn(page)).toBe(recorded);
    await page.waitForFunction(() => location.search === '?x=1');

    const { expires = 0 } = (await visitor.cookies()).svc_click_id ?? {};
    expect((expires - Date.now() / 1000) / 86_400).toBeCloseTo(7, 1);
    await page.reload();
    await queueDone(page);
    expect(visitor.clicks).toEqual([]);
    expect((await world.stored(program)).clicks).toHaveLength(1);
  });

  it('passes the click on to Stripe in the variant for Stripe', async () => {
    const program = await world.program({ linkParameters: ['via'] });
    const visitor = await world.visitor();
    const path = pageWith(program.program.id, '-stripe', '<stripe-pricing-table></stripe-pricing-table>');
    const page = await visitor.open(`${origin()}${path}?via=${program.link}`);
    const clickId = await clickIdOn(page);
    await page.locator(`stripe-pricing-table[client-reference-id="${clickId}"]`).waitFor({ state: 'attached' });
    expect((await world.stored(program)).clicks).toMatchObject([{ partner_id: program.partnerId }]);
  });
});

describeInBrowser('the package', () => {
  it('takes the parameters and the days as options', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const options = { programId: program.program.id, linkParameters: ['via', 'ref'], cookieDays: 7 };
    const path = world.site.path('package', options);
    const page = await visitor.open(`${origin()}${path}?ref=${program.link}`);
    await clickIdOn(page);
    expect((await world.stored(program)).clicks).toMatchObject([{ partner_id: program.partnerId }]);

    const recorded = await world.service.clickId(program.link);
    const next = await world.visitor();
    await clickIdOn(await next.open(`${origin()}${path}?aff=${program.link}&svc_click_id=${recorded}`));
    const { expires = 0 } = (await next.cookies()).svc_click_id ?? {};
    expect((expires - Date.now() / 1000) / 86_400).toBeCloseTo(7, 1);
  });
});
