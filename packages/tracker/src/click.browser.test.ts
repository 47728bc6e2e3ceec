import { expect, it } from 'vitest';
import { clickIdOn, queueDone } from '../test/visitor.ts';
import { BUILDS, describeInBrowser, startWorld } from '../test/world.ts';

const world = startWorld();

describeInBrowser.each(BUILDS)('a click reported by the %s', (build) => {
  it('is sent if the URL contains aff, and its id is stored for the program’s cookie window', async () => {
    const program = await world.program({ cookieWindowDays: 7 });
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const url = `${world.site.origin('www.acme.test')}${path}?utm_source=x&aff=${program.link}#top`;

    const page = await visitor.open(url);
    const clickId = await clickIdOn(page);

    // The package can read the codes of other tools, which another program may have too.
    const ofPackage = build === 'package' && { program_id: program.program.id };
    expect(visitor.clicks).toEqual([{ affiliate_url: url, referrer_url: '', existing_click_id: null, ...ofPackage }]);
    const { customers, clicks } = await world.stored(program);
    expect(customers).toMatchObject([{ partner_id: program.partnerId, status: 'click' }]);
    expect(clicks).toMatchObject([{ partner_id: program.partnerId, affiliate_url: url }]);
    expect(clickId).toMatch(new RegExp(`^cust_${customers[0]?.id}_\\d+$`));

    const cookies = await visitor.cookies();
    expect(cookies.svc_click_id).toMatchObject({
      value: clickId,
      domain: '.acme.test',
      path: '/',
      sameSite: 'Lax',
      secure: true,
      httpOnly: false,
    });
    const daysKept = ((cookies.svc_click_id?.expires ?? 0) - Date.now() / 1000) / 86_400;
    expect(daysKept).toBeCloseTo(7, 1);
    expect(await page.evaluate(() => window.svc.getData())).toEqual({
      clickId,
      programId: program.program.id,
      hasAttribution: true,
      affiliateUrl: url,
    });
  });

  it('is sent as one plain request without a preflight', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const before = world.front.requests.length;
    const path = world.site.path(build, { programId: program.program.id });

    await clickIdOn(await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`));

    const sent = world.front.requests.slice(before).filter(({ path }) => path.startsWith('/svc/'));
    expect(sent).toEqual([{ method: 'POST', host: 'track.test', path: '/svc/c' }]);
  });

  it('is stored in a cookie without Secure if the page is not served over HTTPS', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });

    const page = await visitor.open(`${world.site.origin('www.acme.test', 'http')}${path}?aff=${program.link}`);
    const clickId = await clickIdOn(page);

    const { svc_click_id: cookie } = await visitor.cookies();
    expect(cookie).toMatchObject({ value: clickId, secure: false, sameSite: 'Lax', path: '/', domain: '.acme.test' });
  });

  it('includes the referrer', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const blog = world.site.origin('blog.partner.test');
    await visitor.context.route(`${blog}/review`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<a href="${world.site.origin('www.acme.test')}${path}?aff=${program.link}">shop</a>`,
      }),
    );

    const page = await visitor.open(`${blog}/review`);
    await page.click('a');
    await clickIdOn(page);

    expect(visitor.clicks).toMatchObject([{ referrer_url: `${blog}/` }]);
    expect((await world.stored(program)).clicks).toMatchObject([{ referrer_url: `${blog}/` }]);
  });

  it('is not sent again for the same aff', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const url = `${world.site.origin('www.acme.test')}${path}?aff=${program.link}`;
    const page = await visitor.open(url);
    const clickId = await clickIdOn(page);

    await page.goto(`${url}&page=2`);
    await queueDone(page);

    expect(visitor.clicks).toHaveLength(1);
    expect((await world.stored(program)).clicks).toHaveLength(1);
    expect((await visitor.cookies()).svc_click_id?.value).toBe(clickId);
  });

  it('is sent with the existing id for another aff, and the customer stays with the first partner', async () => {
    const program = await world.program();
    const second = await world.service.partner(program.program);
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const url = `${world.site.origin('www.acme.test')}${path}`;
    const page = await visitor.open(`${url}?aff=${program.link}`);
    const clickId = await clickIdOn(page);
    const { expires } = (await visitor.cookies()).svc_click_id ?? {};

    await page.goto(`${url}?aff=${second.link}`);
    await queueDone(page);

    expect(visitor.clicks[1]).toMatchObject({ existing_click_id: clickId });
    const cookies = await visitor.cookies();
    expect(cookies.svc_click_id).toMatchObject({ value: clickId, expires });
    expect(cookies.svc_aff?.value).toBe(second.link);
    const { customers, clicks } = await world.stored(program);
    expect(clicks.map((click) => click.partner_id)).toEqual([program.partnerId, second.partnerId]);
    expect(customers[0]).toMatchObject({ partner_id: program.partnerId });

    await page.goto(`${url}?aff=${second.link}`);
    await queueDone(page);
    expect(visitor.clicks).toHaveLength(2);
  });

  it('gets a new id when the service does not know the stored one', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const url = world.site.origin('www.acme.test');
    await visitor.context.addCookies([
      { name: 'svc_click_id', value: 'cust_999999_1', domain: '.acme.test', path: '/' },
    ]);
    const path = world.site.path(build, { programId: program.program.id });

    const page = await visitor.open(`${url}${path}?aff=${program.link}`);
    await queueDone(page);

    expect(visitor.clicks).toMatchObject([{ existing_click_id: 'cust_999999_1' }]);
    const [customer] = (await world.stored(program)).customers;
    const { svc_click_id: cookie } = await visitor.cookies();
    expect(cookie?.value).toMatch(new RegExp(`^cust_${customer?.id}_\\d+$`));
    expect((await visitor.context.cookies()).filter(({ name }) => name === 'svc_click_id')).toHaveLength(1);
  });

  it('is remembered on later pages and visits', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const origin = world.site.origin('www.acme.test');
    const landing = await visitor.open(`${origin}${path}?aff=${program.link}`);
    const clickId = await clickIdOn(landing);
    await landing.close();

    const page = await visitor.open(`${origin}${path}`);

    expect(await clickIdOn(page)).toBe(clickId);
    expect(await page.evaluate(() => window.svc.getData())).toEqual({
      clickId,
      programId: program.program.id,
      hasAttribution: true,
      affiliateUrl: `${origin}/?aff=${program.link}`,
    });
    await queueDone(page);
    expect(visitor.clicks).toHaveLength(1);
  });

  it('is not sent without aff', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });

    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?affiliate=x&aff=`);
    await queueDone(page);

    expect(visitor.clicks).toEqual([]);
    expect(await visitor.cookies()).toEqual({});
    expect(await page.evaluate(() => window.svc.getData())).toEqual({
      clickId: null,
      programId: program.program.id,
      hasAttribution: false,
      affiliateUrl: null,
    });
  });

  it('may have any characters in aff', async () => {
    const program = await world.program();
    const aff = `jä ne;&=% ${program.link}`;
    await world.service.sql('update links set short_link = $2 where short_link = $1', [program.link, aff]);
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const url = `${world.site.origin('www.acme.test')}${path}?aff=${encodeURIComponent(aff)}`;
    const page = await visitor.open(url);
    await clickIdOn(page);
    await page.goto(url.replaceAll('%20', '+'));
    await queueDone(page);

    expect(visitor.clicks).toHaveLength(1);
    expect(await page.evaluate(() => new URL(window.svc.getData().affiliateUrl ?? '').searchParams.get('aff'))).toBe(
      aff,
    );
  });

  it('is recorded even if the URL is longer than the service accepts', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const origin = world.site.origin('www.acme.test');

    const page = await visitor.open(`${origin}${path}?long=${'x'.repeat(2100)}&aff=${program.link}`);
    await clickIdOn(page);

    expect((await world.stored(program)).clicks).toMatchObject([{ affiliate_url: `${origin}/?aff=${program.link}` }]);
  });

  it('is sent once if several tabs open at the same time', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const path = world.site.path(build, { programId: program.program.id });
    const url = `${world.site.origin('www.acme.test')}${path}?aff=${program.link}`;

    const tabs = await Promise.all([visitor.open(url), visitor.open(url), visitor.open(url)]);
    const ids = await Promise.all(tabs.map(clickIdOn));
    await Promise.all(tabs.map(queueDone));

    expect(new Set(ids).size).toBe(1);
    expect(visitor.clicks).toHaveLength(1);
    expect((await world.stored(program)).clicks).toHaveLength(1);
  });
});
