import { routes } from '@svc/contract';
import { manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { activeHost, newHost } from '@svc/testkit/service/dns.ts';
import { type CallOptions, platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();
const proxied = useService({ SVC_TRUSTED_PROXIES: '127.0.0.1' });

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

type Opening = CallOptions & { method?: string };

const open = (host: string, path: string, { method = 'GET', headers, ...options }: Opening = {}, at = service) =>
  at.call(method, path, { ...options, headers: { host, 'user-agent': CHROME, ...headers } });

/** Where a visitor is led, with the click id replaced, so that the whole address can be compared. */
async function led(host: string, path: string, options?: Opening, at = service): Promise<[number, string]> {
  const { status, headers } = await open(host, path, options, at);
  return [status, String(headers.location).replace(/svc_click_id=cust_\d+_\d+/, 'svc_click_id=ID')];
}

const toLink = (link: string): [number, string] => [302, `https://acme.test/?aff=${link}&svc_click_id=ID`];
const TO_SITE: [number, string] = [302, 'https://acme.test/'];

const clicksOf = async ({ program }: TestProgram) => (await service.counts(program.id)).clicks;

async function withHost(at = service) {
  const made = await ownedProgram(at);
  return { made, host: await activeHost(at, made) };
}

describe('on an active host', () => {
  it('/:short_link answers as /r/:short_link does, and records the click', async () => {
    const { made, host } = await withHost();
    const { status, headers, text } = await open(host, `/${made.link}?utm_source=mail&sub=a`);
    expect([status, text]).toEqual([302, '']);
    expect(headers.location).toMatch(
      new RegExp(`^https://acme\\.test/\\?utm_source=mail&sub=a&aff=${made.link}&svc_click_id=cust_\\d+_\\d+$`),
    );
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-request-id': expect.any(String) });
    const clicks = await service.sql('select partner_id, sub from clicks where program_id = $1', [made.program.id]);
    expect(clicks).toEqual([{ partner_id: made.partnerId, sub: 'a' }]);
    expect(await led(host, `/${made.link}/`)).toEqual(toLink(made.link));
    expect(await led(host, `/${made.link.replace('-', '%2D')}`)).toEqual(toLink(made.link));
    expect(await led(host, `/${made.link}?to=/pricing`)).toEqual([
      302,
      `https://acme.test/pricing?aff=${made.link}&svc_click_id=ID`,
    ]);
  });

  it('a link that leads to a short address leads to the site, and not in circles', async () => {
    const { made, host } = await withHost();
    const origin = new URL(service.ctx.baseUrl).origin;
    await service.sql('update programs set allowed_origins = $2 where id = $1', [made.program.id, [origin]]);
    for (const back of [
      `https://${host}/${made.link}`,
      `https://${host.toUpperCase()}./`,
      `${origin}/r/${made.link}`,
    ]) {
      await service.sql('update links set destination_url = $2 where short_link = $1', [made.link, back]);
      for (const open of [() => led(host, `/${made.link}`), () => led(new URL(origin).host, `/r/${made.link}`)]) {
        await expect.poll(open).toEqual(toLink(made.link));
      }
    }
    expect(await led(host, `/${made.link}?to=/pricing`)).toEqual([
      302,
      `https://acme.test/pricing?aff=${made.link}&svc_click_id=ID`,
    ]);
  });

  it('HEAD and bots are redirected without a click', async () => {
    const { made, host } = await withHost();
    const location = `https://acme.test/?aff=${made.link}`;
    expect(await led(host, `/${made.link}`, { method: 'HEAD' })).toEqual([302, location]);
    expect(await led(host, `/${made.link}`, { headers: { 'user-agent': 'Googlebot/2.1' } })).toEqual([302, location]);
    expect(await clicksOf(made)).toBe(0);
  });

  it('/ leads to the site of the program, with the query', async () => {
    const { made, host } = await withHost();
    expect(await led(host, '/')).toEqual(TO_SITE);
    expect(await led(host, '/?utm_source=mail')).toEqual([302, 'https://acme.test/?utm_source=mail']);
    expect(await led(host, '/?svc_click_id=cust_1_1&aff=')).toEqual(TO_SITE);
    expect(await clicksOf(made)).toBe(0);
  });

  it('/ with aff, or with a parameter that the program has named, is the link with this code', async () => {
    const { made, host } = await withHost();
    expect(await led(host, `/?aff=${made.link}`)).toEqual(toLink(made.link));
    expect(await led(host, `/?via=${made.link}`)).toEqual([302, `https://acme.test/?via=${made.link}`]);
    expect(await clicksOf(made)).toBe(1);
    const body = { link_parameters: ['fpr', 'via'] };
    await service.call('PATCH', manage(made), { key: made.owner.token, body });
    expect((await led(host, `/?via=${made.link}`))[1]).toBe(
      `https://acme.test/?via=${made.link}&aff=${made.link}&svc_click_id=ID`,
    );
    expect(await clicksOf(made)).toBe(2);
    expect(await led(host, '/?via=nobody')).toEqual([302, 'https://acme.test/?via=nobody']);
  });

  it.each(['/nobody', '/nobody/else', '/%zz', '/%00', '//evil.test', '/\\evil.test', '/%2f%2fevil.test'])(
    'a link that does not exist leads to the site: %s',
    async (path) => {
      const { host } = await withHost();
      expect(await led(host, path)).toEqual(TO_SITE);
    },
  );

  it('so does an address that is longer than any link', async () => {
    const { host } = await withHost();
    expect(await led(host, `/${'x'.repeat(3_000)}`)).toEqual(TO_SITE);
  });

  it('links of other programs do not exist there', async () => {
    const [{ made, host }, other] = [await withHost(), await service.program()];
    expect(await led(host, `/${other.link}`)).toEqual(TO_SITE);
    expect([await clicksOf(made), await clicksOf(other)]).toEqual([0, 0]);
  });

  it('a link that is off leads to the site without aff', async () => {
    const { made, host } = await withHost();
    await service.sql('update links set active = false where short_link = $1', [made.link]);
    expect(await led(host, `/${made.link}`)).toEqual(TO_SITE);
    expect(await clicksOf(made)).toBe(0);
  });

  it('visitors who were on the site before keep their customer', async () => {
    const { made, host } = await withHost();
    const first = await service.clickId(made.link);
    const { headers } = await open(host, `/${made.link}`, { headers: { cookie: `a=b; svc_click_id=${first}; c=d` } });
    expect(headers.location).toContain(`svc_click_id=${first}`);
    expect((await service.counts(made.program.id)).customers).toBe(1);
  });

  it('no page and no route of the service can be reached', async () => {
    const { made, host } = await withHost();
    const paths = [
      ...routes.map(({ path }) => path.replace(/:[a-z_]+/g, String(made.program.id))),
      '/app',
      '/app/programs',
      '/healthz',
      '/readyz',
      '/metrics',
      '/docs',
      '/openapi.json',
      '/js/svc-tracker.js',
      '/internal/tls-allowed?domain=track.test',
      '/internal/link-host',
      `/r/${made.link}`,
      '/api/auth/session',
      '/mcp',
      '/oauth/token',
    ];
    const headers = { authorization: `Bearer ${made.owner.token}` };
    for (const path of paths) {
      const [status, location] = await led(host, path, { headers });
      expect([path, status, location.replace('?domain=track.test', '')]).toEqual([path, ...TO_SITE]);
      const posted = await open(host, path, { method: 'POST', headers, body: {} });
      expect([path, posted.status, posted.headers.allow]).toEqual([path, 405, 'GET, HEAD']);
    }
  });
});

it('the short addresses of links are on the first active host of the program, and each of them works', async () => {
  const made = await ownedProgram(service);
  const shortUrl = async () => {
    const { body } = await service.call('GET', manage(made, '/links'), { key: made.owner.token });
    return body.data[0].short_url;
  };
  expect(await shortUrl()).toBe(`https://track.test/r/${made.link}`);
  const [first, second] = [await activeHost(service, made), await activeHost(service, made)];
  expect(await shortUrl()).toBe(`https://${first}/${made.link}`);
  expect(await led(second, `/${made.link}`)).toEqual(toLink(made.link));

  // The link that the program calls so itself, although another one has the name.
  const { program, partnerId } = made;
  await service.sql('update links set short_link = $2 where short_link = $1', [
    made.link,
    `${made.link}~${program.id}`,
  ]);
  const namesake = await service.program();
  await service.sql('update links set short_link = $2 where short_link = $1', [namesake.link, made.link]);
  await expect.poll(shortUrl).toBe(`https://${first}/${made.link}`);
  await expect.poll(() => led(first, `/${made.link}`)).toEqual(toLink(`${made.link}~${program.id}`));
  const clicks = await service.sql('select distinct partner_id from clicks where program_id = $1', [program.id]);
  expect(clicks).toEqual([{ partner_id: partnerId }]);
});

describe('the Host header', () => {
  it.each([
    ['in capitals', (host: string) => host.toUpperCase()],
    ['with a port', (host: string) => `${host}:8443`],
    ['with a final dot', (host: string) => `${host}.`],
  ])('is the host %s', async (_how, written) => {
    const { made, host } = await withHost();
    expect(await led(written(host), `/${made.link}`)).toEqual(toLink(made.link));
  });

  it.each([
    ['a part of it', (host: string) => host.slice(3)],
    ['a subdomain', (host: string) => `x.${host}`],
    ['a longer name', (host: string) => `${host}.evil.test`],
    ['a user name', (host: string) => `${host}@track.test`],
    ['a list', (host: string) => `${host}, track.test`],
    ['a path', (host: string) => `${host}/x`],
    ['the service', () => 'track.test'],
    ['the service with a port', () => 'track.test:443'],
    ['nothing', () => ''],
    ['a long text', (host: string) => host.repeat(200)],
  ])('is not the host: %s', async (_how, written) => {
    const { made, host } = await withHost();
    expect((await open(written(host), `/${made.link}`)).status).toBe(404);
    expect((await open(written(host), '/healthz')).body).toEqual({ status: 'ok' });
  });

  it('of a pending, removed or lost host is that of no link host', async () => {
    const made = await ownedProgram(service);
    const key = made.owner.token;
    const host = newHost();
    const { body } = await service.call('POST', manage(made, '/domains'), { key, body: { host } });
    expect((await open(host, `/${made.link}`)).status).toBe(404);
    await activeHost(service, made, host);
    expect(await led(host, `/${made.link}`)).toEqual(toLink(made.link));
    const other = await ownedProgram(service);
    await service.sql(`update link_domains set status = 'pending' where host = $1`, [host]);
    await activeHost(service, other, host);
    expect(await led(host, `/${made.link}`)).toEqual(TO_SITE);
    expect(await led(host, `/${other.link}`)).toEqual(toLink(other.link));
    await service.call('DELETE', manage(made, `/domains/${body.data.id}`), { key });
    expect(await led(host, `/${other.link}`)).toEqual(toLink(other.link));
    await service.sql('delete from link_domains where host = $1', [host]);
    await expect.poll(async () => (await open(host, `/${other.link}`)).status).toBe(404);
  });

  it('of a proxy counts only if the service trusts it, and then the last one', async () => {
    const { made, host } = await withHost(proxied);
    const at = (forwarded: string, ip: string) =>
      led('track.test', `/${made.link}`, { headers: { 'x-forwarded-host': forwarded }, ip }, proxied);
    expect(await at(host, '127.0.0.1')).toEqual(toLink(made.link));
    expect(await at(`track.test, ${host}`, '127.0.0.1')).toEqual(toLink(made.link));
    expect((await at(`${host}, track.test`, '127.0.0.1'))[0]).toBe(404);
    expect((await at(host, '198.51.100.7'))[0]).toBe(404);
    const untrusting = await withHost();
    const headers = { 'x-forwarded-host': untrusting.host };
    expect((await open('track.test', `/${untrusting.made.link}`, { headers })).status).toBe(404);
  });
});

it('what requests of link hosts are rewritten to is not served on the host of the service', async () => {
  const { status, body } = await service.call('GET', '/internal/link-host', { headers: { host: 'track.test' } });
  expect({ status, body }).toEqual({ status: 404, body: platformError(404, 'NotFoundError', 'Not Found') });
});

describe('GET /internal/tls-allowed', () => {
  const ask = async (query: string, ip = '127.0.0.1', at = service, headers = {}) =>
    (await at.call('GET', `/internal/tls-allowed${query}`, { ip, headers })).status;

  it('200 for active link hosts and the host of the service, however they are written', async () => {
    const { host } = await withHost();
    expect(await ask(`?domain=${host}`)).toBe(200);
    expect(await ask(`?domain=${host.toUpperCase()}.`)).toBe(200);
    expect(await ask('?domain=track.test')).toBe(200);
  });

  it('404 for all others', async () => {
    const { made, host } = await withHost();
    const pending = newHost();
    await service.call('POST', manage(made, '/domains'), { key: made.owner.token, body: { host: pending } });
    const asked = [
      pending,
      `x.${host}`,
      'evil.test',
      '',
      '%00',
      `${host}:443`,
      `${host}/`,
      '127.0.0.1',
      'x'.repeat(3_000),
    ];
    for (const domain of asked) expect([domain, await ask(`?domain=${domain}`)]).toEqual([domain, 404]);
    expect(await ask('')).toBe(404);
    expect(await ask(`?domain=${host}&domain=track.test`)).toBe(404);
  });

  it('404 for callers on the internet, also through a proxy', async () => {
    const { host } = await withHost();
    for (const ip of ['127.0.0.1', '::1', '10.0.0.7', '::ffff:192.168.1.7', 'fd00::1']) {
      expect([ip, await ask(`?domain=${host}`, ip)]).toEqual([ip, 200]);
    }
    for (const ip of ['198.51.100.7', '2001:db8::1']) expect([ip, await ask(`?domain=${host}`, ip)]).toEqual([ip, 404]);
    expect(await ask('?domain=track.test', '127.0.0.1', proxied)).toBe(200);
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    expect(await ask('?domain=track.test', '127.0.0.1', proxied, headers)).toBe(404);
  });
});
