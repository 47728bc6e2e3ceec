import { expect, it } from 'vitest';
import { clickIdOn, queueDone, trackerOn } from '../test/visitor.ts';
import { BUILDS, describeInBrowser, SHARED_CODE, startWorld } from '../test/world.ts';

const world = startWorld();

describeInBrowser.each(SHARED_CODE)('a click of the %s that the service refuses', (build) => {
  it.each(['link_disabled', 'not found', 'Origin not allowed'])(
    'stores nothing and is logged only in debug mode, for %s',
    async (reason) => {
      const isForeign = reason === 'Origin not allowed';
      const program = await world.program(isForeign ? { allowedOrigins: [] } : {});
      if (reason === 'link_disabled')
        await world.service.sql('update links set active = false where short_link = $1', [program.link]);
      const aff = reason === 'not found' ? 'nobody' : program.link;
      const origin = world.site.origin('www.acme.test');

      for (const debug of [true, false]) {
        const visitor = await world.visitor();
        const path = world.site.path(build, { programId: program.program.id, debug });
        const page = await visitor.open(`${origin}${path}?aff=${aff}`);
        await queueDone(page);
        await page.goto(`${origin}${path}`);
        await queueDone(page);

        expect(visitor.clicks).toHaveLength(1);
        expect(await visitor.cookies()).toEqual({});
        expect(await page.evaluate(() => [sessionStorage.length, localStorage.length])).toEqual([0, 0]);
        const logged = visitor.console.filter((line) => line.includes('[svc] click'));
        expect(logged.map((line) => line.split(' ')[0])).toEqual(debug ? ['info'] : []);
        // Nor does the browser say anything.
        expect(visitor.console.filter((line) => !line.includes('[svc]'))).toEqual([]);
        expect(visitor.console.length > 0).toBe(debug);
        expect(visitor.pageErrors).toEqual([]);
      }
      expect((await world.stored(program)).clicks).toEqual([]);
    },
  );

  it('keeps the id of an earlier click', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const origin = world.site.origin('www.acme.test');
    const page = await visitor.open(`${origin}${path}?aff=${program.link}`);
    const clickId = await clickIdOn(page);

    await page.goto(`${origin}${path}?aff=nobody`);
    await queueDone(page);

    expect(visitor.clicks).toHaveLength(2);
    expect(await page.evaluate(() => window.svc.getData())).toMatchObject({
      clickId,
      affiliateUrl: `${origin}/?aff=${program.link}`,
    });
  });

  it('is logged in debug mode, like one that is recorded', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id, debug: true });
    await clickIdOn(await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`));

    expect(visitor.console).toEqual([expect.stringMatching(/^info \[svc\] click/)]);
  });
});

describeInBrowser.each(BUILDS)('the %s without a program id', (build) => {
  it('logs an error and does nothing', async () => {
    const visitor = await world.visitor();
    const tag = build === 'script' ? { head: '<script>window.svc = [["init", {}]]</script>' } : {};
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${world.site.path(build, tag)}?aff=x`);
    await trackerOn(page);

    expect(visitor.console).toEqual(['error [svc] no programId']);
    expect(visitor.clicks).toEqual([]);
  });
});
