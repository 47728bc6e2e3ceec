import { eventually } from '@svc/testkit/service/eventually.ts';
import { whileMissing } from '@svc/testkit/service/tracking.ts';
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { holdTimers, nextTimer, runTimer } from '../test/timers.ts';
import { clickIdOn, queueDone, trackerOn, type Visitor } from '../test/visitor.ts';
import { describeInBrowser, SHARED_CODE, startWorld } from '../test/world.ts';

const world = startWorld({}, { SVC_RATE_LIMITS: 'click=3,lead=1000,sale=1000,readiness=1000,cli=1000' });

// Clicks are limited to a few per minute here; each test starts in a new minute.
beforeEach(() => world.service.advance({ seconds: 60 }));

/** What a visitor can do on a page without a tracker. */
async function expectWorkingPage(page: Page, visitor: Visitor): Promise<void> {
  await page.click('button');
  expect(await page.textContent('button')).toBe('Bought');
  expect(visitor.pageErrors).toEqual([]);
}

describeInBrowser.each(SHARED_CODE)('after a failure, a page with the %s', (build) => {
  it('retries a click with exponential backoff, then leaves it to the next page of the visit', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    await holdTimers(visitor.context);
    const path = world.site.path(build, { programId: program.program.id });
    const origin = world.site.origin('www.acme.test');
    const page = await visitor.open(`${origin}${path}`);
    // The tracker must load before the service goes offline.
    await queueDone(page);
    world.front.isDown = true;
    await page.evaluate((aff) => history.pushState(null, '', `?aff=${aff}`), program.link);

    const waits: number[] = [];
    for (let tries = 1; tries <= 3; tries += 1) {
      waits.push(await nextTimer(page));
      expect(visitor.clicks).toHaveLength(tries);
      await runTimer(page);
    }
    await eventually(
      () => visitor.console,
      (lines) => lines.includes('error [svc] click failed'),
    );

    expect(waits).toEqual([1, 4, 16]);
    expect(visitor.clicks).toHaveLength(4);
    expect(await page.evaluate(() => window.heldTimers.length)).toBe(0);
    expect(visitor.console.filter((line) => line.includes('[svc]'))).toEqual(['error [svc] click failed']);
    expect(await visitor.cookies()).toEqual({});
    await expectWorkingPage(page, visitor);

    world.front.isDown = false;
    await page.goto(`${origin}${path}`);
    await clickIdOn(page);
    const { clicks } = await world.stored(program);
    expect(clicks).toMatchObject([{ affiliate_url: `${origin}${path}?aff=${program.link}` }]);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it('reports a click on the next page if the first page did not wait for the response', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const origin = world.site.origin('www.acme.test');
    await visitor.context.route('**/svc/c', () => {}, { times: 1 });
    const page = await visitor.context.newPage();
    const requested = page.waitForRequest('**/svc/c');
    await page.goto(`${origin}${path}?aff=${program.link}`);
    await requested;

    await page.goto(`${origin}${path}`);
    await clickIdOn(page);

    const { clicks } = await world.stored(program);
    expect(clicks).toMatchObject([{ affiliate_url: `${origin}${path}?aff=${program.link}` }]);
  });

  it('records the click when a failing service works again', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    await holdTimers(visitor.context);
    const path = world.site.path(build, { programId: program.program.id });

    const page = await whileMissing(world.service, 'clicks', async () => {
      const failing = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
      await nextTimer(failing);
      expect(await visitor.cookies()).toEqual({});
      return failing;
    });
    await runTimer(page);
    await clickIdOn(page);

    expect(visitor.clicks).toHaveLength(2);
    expect((await world.stored(program)).clicks).toHaveLength(1);
  });

  it('times out when the service does not respond, and retries', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    await holdTimers(visitor.context);
    await visitor.context.addInitScript(() => {
      // The request times out when the test says so.
      const limit = new AbortController();
      AbortSignal.timeout = () => limit.signal;
      addEventListener('time-is-up', () => limit.abort());
    });
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}`);
    await queueDone(page);
    world.front.isHanging = true;

    const requested = page.waitForRequest('**/svc/c');
    await page.evaluate((aff) => history.pushState(null, '', `?aff=${aff}`), program.link);
    await requested;
    await page.evaluate(() => dispatchEvent(new Event('time-is-up')));

    expect(await nextTimer(page)).toBe(1);
    await expectWorkingPage(page, visitor);
  });

  it('waits as long as a busy service asks for', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    await holdTimers(visitor.context);
    const path = world.site.path(build, { programId: program.program.id });
    // The rate window of this IP address is used up; the service's clock does not advance by itself.
    for (let used = 0; used < 3; used += 1) await world.service.click({}, { ip: '127.0.0.1' });

    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    expect(await nextTimer(page)).toBe(60);
    world.service.advance({ seconds: 60 });
    await runTimer(page);
    await clickIdOn(page);

    expect(visitor.clicks).toHaveLength(2);
    expect((await world.stored(program)).clicks).toHaveLength(1);
  });

  it('retries a signup too', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    await holdTimers(visitor.context);
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}`);
    await trackerOn(page);
    world.front.isDown = true;

    const answer = page.evaluate(() => window.svc.signup('user_1'));
    expect(await nextTimer(page)).toBe(1);
    world.front.isDown = false;
    await runTimer(page);

    expect(await answer).toMatchObject({ success: true });
    expect(visitor.leads).toHaveLength(2);
  });

  it('does not hold a page that awaits a signup, and goes on retrying it', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}`);
    await trackerOn(page);
    world.front.isHanging = true;

    expect(await page.evaluate(async () => (await window.svc.signup('user_1')) ?? 'no answer')).toBe('no answer');
    expect(visitor.leads).toMatchObject([{ customer_key: 'user_1' }]);
    expect(visitor.console).toEqual([]);
    await expectWorkingPage(page, visitor);
  });

  it('works while the service is down from the start', async () => {
    world.front.isDown = true;
    const visitor = await world.visitor();
    const page = await visitor.open(
      `${world.site.origin('www.acme.test')}${world.site.path(build, { programId: 1 })}?aff=x`,
    );
    await expectWorkingPage(page, visitor);
    expect(await visitor.cookies()).toEqual({});
  });

  it('works while the tracker is blocked, including calls to its stub', async () => {
    const visitor = await world.visitor();
    await visitor.context.route(/svc-tracker\.js|package\.js/, (route) => route.abort('blockedbyclient'));
    const path = world.site.path(build, { programId: 1, head: '<script>window.svc = window.svc || []</script>' });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=x`);

    await page.evaluate(() => (window.svc as unknown as unknown[][]).push(['signup', 'user_1']));

    await expectWorkingPage(page, visitor);
    expect(visitor.clicks).toEqual([]);
    expect(visitor.leads).toEqual([]);
  });

  it('works while cookies are blocked: reports the signup, but no click that it could not store', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const page = await visitor.context.newPage();
    const devtools = await visitor.context.newCDPSession(page);
    await devtools.send('Emulation.setDocumentCookieDisabled', { disabled: true });
    const path = world.site.path(build, { programId: program.program.id });
    await page.goto(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await trackerOn(page);

    const answer = await page.evaluate(() => window.svc.signup('user_1'));

    expect(answer).toMatchObject({ success: true });
    expect(visitor.clicks).toEqual([]);
    expect(visitor.leads).toMatchObject([{ click_id: null, customer_key: 'user_1' }]);
    expect(await visitor.cookies()).toEqual({});
    await expectWorkingPage(page, visitor);
  });

  it('works in a frame that may store nothing', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const url = `${world.site.origin('www.acme.test')}${world.site.path(build, { programId: program.program.id })}?aff=x`;
    const outer = `${world.site.origin('outer.test')}/`;
    await visitor.context.route(outer, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe sandbox="allow-scripts" src="${url.replaceAll('"', '')}"></iframe>`,
      }),
    );
    const page = await visitor.open(outer);
    const frame = page.frames().at(-1);
    // A sandboxed page may not load modules of its own origin; then there is no tracker, which is fine too.
    const data = await frame?.evaluate(() => window.svc?.getData?.() ?? null);

    expect(data?.clickId ?? null).toBeNull();
    expect(visitor.pageErrors).toEqual([]);
  });
});
