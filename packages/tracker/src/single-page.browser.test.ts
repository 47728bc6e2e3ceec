import { expect, it } from 'vitest';
import { clickIdOn, queueDone } from '../test/visitor.ts';
import { describeInBrowser, SHARED_CODE, startWorld } from '../test/world.ts';

const world = startWorld();

describeInBrowser.each(SHARED_CODE)('the %s in a single-page application', (build) => {
  it('reports an aff that arrives through pushState, once', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}`);
    await queueDone(page);
    expect(visitor.clicks).toEqual([]);

    const state = await page.evaluate((aff) => {
      history.pushState({ step: 2 }, '', `?aff=${aff}`);
      return history.state;
    }, program.link);
    await clickIdOn(page);
    await page.evaluate((aff) => history.pushState(null, '', `?tab=2&aff=${aff}`), program.link);
    await queueDone(page);

    expect(state).toEqual({ step: 2 });
    expect(visitor.clicks).toHaveLength(1);
    expect((await world.stored(program)).clicks).toMatchObject([
      { affiliate_url: `${world.site.origin('www.acme.test')}${path}?aff=${program.link}` },
    ]);
  });

  it('reports an aff that arrives through replaceState, and one in the route of a hash router', async () => {
    const program = await world.program();
    const second = await world.service.partner(program.program);
    const third = await world.service.partner(program.program);
    const visitor = await world.visitor();
    const origin = world.site.origin('www.acme.test');
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${origin}${path}#/start?tab=1`);
    await queueDone(page);
    expect(visitor.clicks).toEqual([]);

    await page.evaluate((aff) => history.replaceState({ step: 2 }, '', `?aff=${aff}`), program.link);
    await clickIdOn(page);
    await page.evaluate((aff) => {
      history.replaceState(null, '', location.pathname);
      location.hash = `/pricing?plan=pro&aff=${aff}`;
    }, second.link);
    await queueDone(page);
    // What is in the address itself counts first.
    await page.goto(`${origin}${path}?aff=${third.link}#/start?aff=${program.link}`);
    await queueDone(page);

    expect(await page.evaluate(() => window.svc.getData().hasAttribution)).toBe(true);
    expect((await world.stored(program)).clicks).toMatchObject([
      { affiliate_url: `${origin}${path}?aff=${program.link}` },
      { affiliate_url: `${origin}${path}?plan=pro&aff=${second.link}` },
      { affiliate_url: `${origin}${path}?aff=${third.link}#/start?aff=${program.link}` },
    ]);
  });

  it('reports an aff that arrives through popstate', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}`);
    await queueDone(page);

    await page.evaluate(async (aff) => {
      // Bypasses the tracker, like history entries made before it started.
      History.prototype.pushState.call(history, null, '', `?aff=${aff}`);
      History.prototype.pushState.call(history, null, '', '?page=2');
      const popped = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      history.back();
      await popped;
    }, program.link);
    await clickIdOn(page);

    expect(visitor.clicks).toHaveLength(1);
  });

  it('reports the aff of a URL even if the application has navigated since', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}`);
    await queueDone(page);

    await page.evaluate((aff) => {
      history.pushState(null, '', `?aff=${aff}`);
      history.pushState(null, '', '?clean');
    }, program.link);
    await clickIdOn(page);

    expect(visitor.clicks).toHaveLength(1);
  });
});
