import { expect, it } from 'vitest';
import { clickIdOn, trackerOn } from '../test/visitor.ts';
import { describeInBrowser, SHARED_CODE, startWorld } from '../test/world.ts';

const world = startWorld();

describeInBrowser.each(SHARED_CODE)('the cookie domain of the %s', (build) => {
  it.each([
    ['acme.test', '.acme.test'],
    ['www.acme.test', '.acme.test'],
    ['www.acme.co.uk', '.acme.co.uk'],
    ['deep.down.acme.com', '.acme.com'],
    // A public suffix under which unrelated sites have their own names.
    ['acme.github.io', '.acme.github.io'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
  ])('on %s is %s', async (host, domain) => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });

    await clickIdOn(await visitor.open(`${world.site.origin(host)}${path}?aff=${program.link}`));

    const cookies = await visitor.cookies();
    expect(cookies.svc_click_id?.domain).toBe(domain);
    expect(cookies.svc_aff?.domain).toBe(domain);
    expect(Object.keys(cookies).sort()).toEqual(['svc_aff', 'svc_click_id']);
  });

  it('lets the subdomains of a site share the click', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const onWww = await visitor.open(`${world.site.origin('www.acme.co.uk')}${path}?aff=${program.link}`);
    const clickId = await clickIdOn(onWww);

    const onApp = await visitor.open(`${world.site.origin('app.acme.co.uk')}${path}?aff=${program.link}`);

    expect(await clickIdOn(onApp)).toBe(clickId);
    expect(visitor.clicks).toHaveLength(1);
  });

  it('is cookieDomain if that is set', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id, cookieDomain: '.down.acme.com' });

    await clickIdOn(await visitor.open(`${world.site.origin('deep.down.acme.com')}${path}?aff=${program.link}`));

    expect((await visitor.cookies()).svc_click_id?.domain).toBe('.down.acme.com');
  });

  it('is the host if the browser refuses cookieDomain', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id, cookieDomain: '.somebody-else.com' });

    await clickIdOn(await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`));

    expect((await visitor.cookies()).svc_click_id?.domain).toBe('www.acme.test');
  });

  it('is not affected by cookies with similar names', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const url = world.site.origin('www.acme.test');
    await visitor.context.addCookies([{ name: 'x_svc_click_id', value: 'other', url }]);
    const path = world.site.path(build, { programId: program.program.id });

    const page = await visitor.open(`${url}${path}`);
    await trackerOn(page);
    expect(await page.evaluate(() => window.svc.getClickId())).toBeNull();
  });
});
