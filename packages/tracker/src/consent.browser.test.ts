import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { clickIdOn, queueDone, trackerOn, type Visitor } from '../test/visitor.ts';
import { BUILDS, describeInBrowser, startWorld } from '../test/world.ts';

const world = startWorld();

const EMPTY = { clickId: null, hasAttribution: false, affiliateUrl: null };

async function expectNothing(page: Page, visitor: Visitor): Promise<void> {
  // Waits until the page has nothing left to do.
  await page.waitForLoadState('networkidle');
  expect(visitor.clicks).toEqual([]);
  expect(visitor.leads).toEqual([]);
  expect(await visitor.cookies()).toEqual({});
  expect(await page.evaluate(() => [sessionStorage.length, localStorage.length])).toEqual([0, 0]);
  expect(await page.evaluate(() => window.svc.getData())).toMatchObject(EMPTY);
}

describeInBrowser.each(BUILDS)('consent with the %s', (build) => {
  it('keeps everything in memory while pending, and sends it when granted', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id, consent: 'pending' });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await trackerOn(page);
    await page.evaluate(() => {
      window.svc.signup('user_1');
      history.pushState(null, '', '?later');
    });
    await expectNothing(page, visitor);

    await page.evaluate(() => window.svc.consent('granted'));
    const clickId = await clickIdOn(page);
    await queueDone(page);

    expect(visitor.clicks).toHaveLength(1);
    expect(visitor.leads[0]).toMatchObject({ click_id: clickId, customer_key: 'user_1' });
    expect((await world.stored(program)).customers[0]).toMatchObject({
      partner_id: program.partnerId,
      customer_key: 'user_1',
      status: 'lead',
    });
  });

  it('does not hold a page that awaits a signup while pending, and still sends it when granted', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id, consent: 'pending' });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}`);
    await trackerOn(page);

    expect(await page.evaluate(async () => (await window.svc.signup('user_1')) ?? 'no answer')).toBe('no answer');
    expect(visitor.leads).toEqual([]);

    await page.evaluate(() => window.svc.consent('granted'));
    await queueDone(page);
    expect(visitor.leads[0]).toMatchObject({ customer_key: 'user_1' });
  });

  it('discards everything in memory when denied, and resolves waiting signups', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id, consent: 'pending' });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await trackerOn(page);

    const answers = await page.evaluate(async () => {
      const before = window.svc.signup('user_1');
      window.svc.consent('denied');
      return [!!(await before), !!(await window.svc.signup('user_2'))];
    });

    expect(answers).toEqual([false, false]);
    await expectNothing(page, visitor);
  });

  it('deletes the cookies when denied later', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await clickIdOn(page);

    await page.evaluate(() => window.svc.consent('denied'));

    expect(await visitor.cookies()).toEqual({});
    expect(await page.evaluate(() => window.svc.getData())).toMatchObject(EMPTY);
  });

  it('reports the current page when granted after a denial', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id, consent: 'denied' });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await trackerOn(page);
    await expectNothing(page, visitor);

    await page.evaluate(() => window.svc.consent('granted'));
    await clickIdOn(page);

    expect(visitor.clicks).toHaveLength(1);
  });

  it('stores nothing from the response when denied while a click is in flight', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    await visitor.context.route('**/svc/c', async (route) => {
      await page.evaluate(() => window.svc.consent('denied'));
      await route.continue();
    });
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.context.newPage();
    const answered = page.waitForResponse('**/svc/c');
    await page.goto(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await (await answered).finished();
    await page.waitForLoadState('networkidle');

    expect(await visitor.cookies()).toEqual({});
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it.each([
    ['Global Privacy Control', 'globalPrivacyControl', true],
    ['Do Not Track', 'doNotTrack', '1'],
  ])('is denied by %s if privacySignals is set, until the visitor grants it', async (_name, signal, value) => {
    const program = await world.program();
    const visitor = await world.visitor();
    await visitor.context.addInitScript(
      ([name, given]) => Object.defineProperty(Navigator.prototype, name as string, { get: () => given }),
      [signal, value],
    );
    const honoring = world.site.path(build, { programId: program.program.id, privacySignals: true });
    const ignoring = world.site.path(build, { programId: program.program.id });
    const origin = world.site.origin('www.acme.test');

    const page = await visitor.open(`${origin}${honoring}?aff=${program.link}`);
    await trackerOn(page);
    await expectNothing(page, visitor);
    await page.evaluate(() => window.svc.consent('granted'));
    await clickIdOn(page);
    await page.evaluate(() => window.svc.consent('denied'));

    await page.goto(`${origin}${ignoring}?aff=${program.link}`);
    await clickIdOn(page);
    expect(visitor.clicks).toHaveLength(2);
  });

  it('is granted when no privacy signal is set', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id, privacySignals: true });
    await clickIdOn(await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`));
    expect(visitor.clicks).toHaveLength(1);
  });
});
