import type { AddressInfo } from 'node:net';
import type { TestProgram } from '@svc/testkit/service/service.ts';
import { beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { expressRelay, type RelayOptions } from '../../node/src/relay.ts';
import { clickIdOn, queueDone, type Visitor } from '../test/visitor.ts';
import { BUILDS, type Build, describeInBrowser, startWorld } from '../test/world.ts';

const world = startWorld();
let apiUrl = '';

beforeAll(async () => {
  if (!inject('browser')) return;
  const { http } = world.service.service;
  await http.listen({ port: 0, host: '127.0.0.1' });
  apiUrl = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  // Signatures are compared with the clock of the service.
  world.service.time = new Date();
});

const relayFor = ({ program, apiKey }: TestProgram, options: RelayOptions = {}) =>
  expressRelay({ apiUrl, apiKey, programId: program.id, ...options }) as unknown as typeof world.site.relay;

/** A page whose tracker comes from the relay, or is bundled and reports to it. */
const pageOf = (build: Build, { program }: TestProgram) =>
  build === 'script'
    ? world.site.path(build, {
        tag: `<script async src="/relay/js/svc-tracker-${program.id}.js" data-svc-program-id="${program.id}"></script>`,
      })
    : world.site.path(build, { programId: program.id, apiBase: '/relay' });

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Opens the short address of a link that leads to a page, and returns where it led and the click that it recorded. */
async function openShortAddress({ link }: TestProgram, page: string): Promise<{ url: string; clickId: string }> {
  await world.service.sql('update links set destination_url = $2 where short_link = $1', [link, page]);
  const { headers } = await world.service.call('GET', `/r/${link}`, { headers: { 'user-agent': CHROME } });
  const url = String(headers.location);
  return { url, clickId: new URL(url).searchParams.get('svc_click_id') ?? '' };
}

/** Records which cookies scripts of pages write. */
async function watchCookies(visitor: Visitor): Promise<string[]> {
  const written: string[] = [];
  await visitor.context.exposeFunction('cookieWritten', (text: string) => void written.push(text));
  await visitor.context.addInitScript(() => {
    const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') as Required<PropertyDescriptor>;
    Object.defineProperty(Document.prototype, 'cookie', {
      get,
      set(text: string) {
        void (window as never as { cookieWritten(text: string): void }).cookieWritten(text);
        set.call(this, text);
      },
    });
  });
  return written;
}

const daysLeft = (expires = 0) => (expires - Date.now() / 1000) / 86_400;

describeInBrowser.each(BUILDS)('behind a relay, the %s', (build) => {
  it('leaves the click cookie to the server, which keeps it for the program’s window', async () => {
    const program = await world.program({ cookieWindowDays: 90 });
    world.site.relay = relayFor(program);
    const visitor = await world.visitor();
    const written = await watchCookies(visitor);
    const origin = world.site.origin('www.acme.test');

    const page = await visitor.open(`${origin}${pageOf(build, program)}?aff=${program.link}`);
    const clickId = await clickIdOn(page);
    await queueDone(page);

    const { svc_click_id: cookie } = await visitor.cookies();
    expect(cookie).toMatchObject({
      value: clickId,
      domain: 'www.acme.test',
      path: '/',
      sameSite: 'Lax',
      secure: true,
      httpOnly: false,
    });
    expect(daysLeft(cookie?.expires)).toBeCloseTo(90, 1);
    // Safari would keep a cookie that a script has written again for seven days.
    expect(written.filter((text) => text.startsWith('svc_click_id='))).toEqual([]);
    expect(await page.evaluate(() => window.svc.getData())).toMatchObject({ clickId, hasAttribution: true });
    const rows = await world.service.sql('select is_relayed from clicks where program_id = $1', [program.program.id]);
    expect(rows).toEqual([{ is_relayed: true }]);
  });

  it('leaves it alone on later pages, after a signup and after another link', async () => {
    const program = await world.program({ cookieWindowDays: 90 });
    const second = await world.service.partner(program.program);
    world.site.relay = relayFor(program, { cookieDomain: 'acme.test' });
    const visitor = await world.visitor();
    const written = await watchCookies(visitor);
    const url = `${world.site.origin('www.acme.test')}${pageOf(build, program)}`;
    const page = await visitor.open(`${url}?aff=${program.link}`);
    const clickId = await clickIdOn(page);
    const before = (await visitor.cookies()).svc_click_id;

    expect(await page.evaluate(() => window.svc.signup('user_1', 'ann@example.com'))).toMatchObject({ success: true });
    await page.goto(url);
    await queueDone(page);
    await page.goto(`${url}?aff=${second.link}`);
    await queueDone(page);

    expect((await world.stored(program)).clicks).toHaveLength(2);
    const after = (await visitor.cookies()).svc_click_id;
    expect(after).toMatchObject({ value: clickId, domain: '.acme.test' });
    expect(after?.expires).toBeCloseTo(before?.expires ?? 0, -1);
    expect(written.filter((text) => text.startsWith('svc_click_id='))).toEqual([]);
  });

  it('lets the server set the cookie of a click that a redirect has recorded, which is still one click', async () => {
    const program = await world.program();
    world.site.relay = relayFor(program);
    const visitor = await world.visitor();
    const written = await watchCookies(visitor);
    const page = `${world.site.origin('www.acme.test')}${pageOf(build, program)}`;
    const recorded = await openShortAddress(program, page);

    const opened = await visitor.open(recorded.url);
    expect(await clickIdOn(opened)).toBe(recorded.clickId);
    await opened.waitForURL(page);
    await opened.reload();
    await queueDone(opened);

    const { svc_click_id: cookie } = await visitor.cookies();
    expect(cookie).toMatchObject({ value: recorded.clickId, domain: 'www.acme.test', secure: true });
    expect(daysLeft(cookie?.expires)).toBeCloseTo(60, 1);
    expect(written.filter((text) => text.startsWith('svc_click_id='))).toEqual([]);
    expect(visitor.clicks).toMatchObject([{ affiliate_url: recorded.url, existing_click_id: recorded.clickId }]);
    const rows = await world.service.sql('select is_relayed from clicks where program_id = $1', [program.program.id]);
    expect(rows).toEqual([{ is_relayed: true }]);
  });

  it('keeps the click of a redirect itself if the relay refuses it', async () => {
    const program = await world.program();
    world.site.relay = (_request, response) => void response.end('{"success":false}');
    const visitor = await world.visitor();
    const path = world.site.path('package', { programId: program.program.id, apiBase: '/relay' });
    const recorded = await openShortAddress(program, `${world.site.origin('www.acme.test')}${path}`);

    const page = await visitor.open(recorded.url);

    expect(await clickIdOn(page)).toBe(recorded.clickId);
    expect((await visitor.cookies()).svc_click_id?.value).toBe(recorded.clickId);
  });

  it('deletes it when consent is denied', async () => {
    const program = await world.program();
    world.site.relay = relayFor(program, { cookieDomain: 'acme.test' });
    const visitor = await world.visitor();
    const page = await visitor.open(
      `${world.site.origin('www.acme.test')}${pageOf(build, program)}?aff=${program.link}`,
    );
    await clickIdOn(page);

    await page.evaluate(() => window.svc.consent('denied'));

    expect(await visitor.cookies()).toEqual({});
  });

  it('keeps the click itself where the browser refuses the server’s cookie', async () => {
    const program = await world.program();
    world.site.relay = relayFor(program, { cookieDomain: 'somebody-else.test' });
    const visitor = await world.visitor();
    const page = await visitor.open(
      `${world.site.origin('www.acme.test')}${pageOf(build, program)}?aff=${program.link}`,
    );
    const clickId = await clickIdOn(page);

    expect((await visitor.cookies()).svc_click_id?.value).toBe(clickId);
  });
});
