import { readFileSync } from 'node:fs';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { expect, it } from 'vitest';
import { clickIdOn, queueDone, trackerOn } from '../test/visitor.ts';
import { describeInBrowser, startWorld } from '../test/world.ts';

const world = startWorld();

/** The stub of docs/tracker.md. */
const STUB = /(?<=```html\n)<script>\n {2}window\.svc = [\s\S]*?<\/script>/.exec(
  readFileSync(new URL('../../../docs/tracker.md', import.meta.url), 'utf8'),
)?.[0];

describeInBrowser('the script', () => {
  it('runs calls made before it has loaded, once and in order', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await visitor.context.route('**/svc-tracker.js', async (route) => {
      await held;
      await route.continue();
    });
    const setup = { programId: program.program.id, consent: 'pending' as const, head: STUB ?? '' };
    const page = await visitor.context.newPage();
    const url = `${world.site.origin('www.acme.test')}${world.site.path('script', setup)}?aff=${program.link}`;
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForSelector('button');
    await page.evaluate(() => {
      const early = window.svc;
      (window as unknown as { early: typeof early }).early = early;
      early.consent('granted');
      document.title = `${JSON.stringify(early.getData())} ${early.getClickId()}`;
      early.signup('user_1', 'ann@example.com').then((answer) => {
        document.title = String(answer ? answer.success : answer);
      });
    });
    expect(await page.title()).toBe(
      '{"clickId":null,"programId":null,"hasAttribution":false,"affiliateUrl":null} null',
    );
    expect(visitor.leads).toEqual([]);

    release();
    const clickId = await clickIdOn(page);
    await queueDone(page);

    expect(visitor.leads[0]).toMatchObject({ click_id: clickId, customer_key: 'user_1', email: 'ann@example.com' });
    expect(visitor.leads).toHaveLength(2);
    await page.waitForFunction(() => document.title === 'true');
    // Code that kept a reference to the stub now has the tracker.
    expect(await page.evaluate(() => (window as unknown as { early: unknown }).early === window.svc)).toBe(true);
  });

  it('accepts calls as arrays, before and after it has loaded', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const head = `<script>(window.svc = window.svc || []).push(['signup', 'early'])</script>`;
    const path = world.site.path('script', { programId: program.program.id, head });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}`);
    await trackerOn(page);

    await page.evaluate(() => {
      const calls = window.svc as unknown as unknown[][];
      calls.push(['nothing of this name'], ['signup', 'not taken']);
      calls.push(['signup', 'late']);
    });
    await queueDone(page);

    expect(visitor.leads.map((lead) => lead.customer_key).slice(0, 2)).toEqual(['early', 'late']);
  });

  it('starts once even if its tag is on the page twice', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const tag = `<script src="${world.front.url}/js/svc-tracker.js" data-svc-program-id="${program.program.id}"></script>`;
    const remembered = '<script>window.first = svc.getData</script>';
    const path = world.site.path('script', { tag: tag + remembered + tag });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    await clickIdOn(page);
    await queueDone(page);

    expect(await page.evaluate(() => window.svc.getData === (window as unknown as { first: unknown }).first)).toBe(
      true,
    );
    expect(visitor.clicks).toHaveLength(1);
    expect(visitor.pageErrors).toEqual([]);
  });

  it('resolves signups of the stub even if it is blocked', async () => {
    const visitor = await world.visitor();
    await visitor.context.route('**/svc-tracker.js', (route) => route.abort('blockedbyclient'));
    const path = world.site.path('script', { programId: 1, head: STUB ?? '' });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}`);

    expect(await page.evaluate(async () => (await window.svc.signup('user_1')) ?? 'no answer')).toBe('no answer');
    expect(visitor.pageErrors).toEqual([]);
  });

  it('is started by init with the settings of its tag if the tag names no program', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const tag = `<script src="${world.front.url}/js/svc-tracker.js" data-svc-debug></script>`;
    const page = await visitor.open(
      `${world.site.origin('www.acme.test')}${world.site.path('script', { tag })}?aff=${program.link}`,
    );
    await page.waitForLoadState('networkidle');
    expect(visitor.clicks).toEqual([]);

    await page.evaluate((programId) => window.svc.init({ programId }), program.program.id);
    await clickIdOn(page);
    expect(visitor.clicks).toHaveLength(1);
    expect((await world.stored(program)).clicks).toHaveLength(1);
    expect(visitor.console).toEqual([expect.stringMatching(/^info \[svc\] click/)]);
  });

  it('works as a module too', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const tag = `<script type="module" src="${world.front.url}/js/svc-tracker.js" data-svc-program-id="${program.program.id}"></script>`;
    const path = world.site.path('script', { tag });
    await clickIdOn(await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`));

    expect((await world.stored(program)).clicks).toHaveLength(1);
  });

  it('says what is missing if its tag has lost its attributes, once, and holds no signup', async () => {
    const visitor = await world.visitor();
    const tag = `<script src="${world.front.url}/js/svc-tracker.js"></script>`;
    const path = world.site.path('script', { tag });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=x`);

    expect(await page.evaluate(async () => (await window.svc.signup('user_1')) ?? 'no answer')).toBe('no answer');
    await eventually(
      () => visitor.console,
      (lines) => lines.length > 0,
    );
    expect(visitor.console).toEqual(['error [svc] no programId']);
    expect(visitor.clicks).toEqual([]);
  });

  it('shows what is known about the visitor on window.svc, and leaves no other global', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const before = '<script>window.names = Object.getOwnPropertyNames(window)</script>';
    const path = world.site.path('script', { programId: program.program.id, head: before });
    const page = await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`);
    const clickId = await clickIdOn(page);

    const shown = await page.evaluate(() => {
      const { loaded, clickId, programId, hasAttribution } = window.svc;
      const { names } = window as unknown as { names: string[] };
      const added = Object.getOwnPropertyNames(window).filter((name) => !names.includes(name) && name !== 'names');
      return { loaded, clickId, programId, hasAttribution, added };
    });
    expect(shown).toEqual({
      loaded: true,
      clickId,
      programId: program.program.id,
      hasAttribution: true,
      added: expect.arrayContaining(['svc']),
    });
    expect(shown.added.filter((name) => name.length <= 2)).toEqual([]);
  });

  it('reports to data-svc-api-base, and treats attributes without a value as true', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const tag = `<script src="${world.front.url}/js/svc-tracker.js" data-svc-program-id="${program.program.id}"
      data-svc-api-base="${world.front.url.replace('track.test', 'proxy.acme.test')}" data-svc-debug data-svc-privacy-signals="false" data-other="x"></script>`;
    const path = world.site.path('script', { tag });
    await clickIdOn(await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`));

    expect(visitor.console).toEqual([expect.stringMatching(/^info \[svc\] click/)]);
    expect(world.front.requests.at(-1)).toEqual({
      method: 'POST',
      host: 'proxy.acme.test',
      path: '/svc/c',
    });
  });

  it('reports to the origin of a script with another name', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const { text: body } = await world.service.call('GET', '/js/svc-tracker.js');
    await visitor.context.route(/\/assets\/a\.js/, (route) => route.fulfill({ body, contentType: 'text/javascript' }));
    const tag = `<script async src="${world.front.url}/assets/a.js?v=1" data-svc-program-id="${program.program.id}"></script>`;
    const path = world.site.path('script', { tag });
    await clickIdOn(await visitor.open(`${world.site.origin('www.acme.test')}${path}?aff=${program.link}`));

    expect((await world.stored(program)).clicks).toHaveLength(1);
  });

  it('runs under a strict policy from its immutable URL, with its published hash', async () => {
    const program = await world.program();
    const visitor = await world.visitor();
    const { body: published } = await world.service.call('GET', '/js/svc-tracker.json');
    const policy = `default-src 'none'; script-src ${world.front.url}; connect-src ${world.front.url}; img-src data:`;
    const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
    const tag = (integrity: string) =>
      `<script async src="${published.immutable_url}" crossorigin="anonymous" integrity="${integrity}"
        data-svc-program-id="${program.program.id}"></script>`;
    const origin = world.site.origin('www.acme.test');

    const right = world.site.path('script', { head, tag: tag(published.integrity) });
    await clickIdOn(await visitor.open(`${origin}${right}?aff=${program.link}`));
    // The button's inline handler is the only thing on the page that the policy blocks.
    expect(visitor.console.filter((line) => !line.includes('inline event handler'))).toEqual([]);

    const wrong = world.site.path('script', { head, tag: tag(`sha384-${'A'.repeat(64)}`) });
    const page = await visitor.open(`${origin}${wrong}`);
    expect(await page.evaluate(() => window.svc)).toBeUndefined();
    expect((await world.stored(program)).clicks).toHaveLength(1);
  });
});
