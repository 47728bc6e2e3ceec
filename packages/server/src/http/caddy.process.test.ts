import { readdir } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { activeHost, newHost } from '@svc/testkit/service/dns.ts';
import { type Caddy, caddyMissing, startCaddy } from '@svc/testkit/service/processes/caddy.ts';
import { temporaryFolder } from '@svc/testkit/service/processes/processes.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const missing = caddyMissing();
if (missing) console.warn(`Skipped: ${missing}.`);

const service = useService({ SVC_TRUSTED_PROXIES: '127.0.0.1' });

describe.skipIf(missing)(`deploy/Caddyfile${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let folder: string;
  let caddy: Caddy;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await service.service.http.listen({ host: '127.0.0.1', port: 0 });
    const { port } = service.service.http.server.address() as AddressInfo;
    caddy = await startCaddy(`127.0.0.1:${port}`, folder);
  });
  afterAll(() => caddy?.close());

  type Got = { status: number | undefined; location: string | undefined; body: string };

  /** Opens an address as a browser that trusts the authority of Caddy does. */
  function get(host: string, path: string, { secure = true, headers = {} } = {}): Promise<Got> {
    const shared: RequestOptions = {
      host: '127.0.0.1',
      path,
      agent: false,
      headers: { host, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0', ...headers },
    };
    return new Promise((resolve, reject) => {
      const asking = secure
        ? requestHttps({ ...shared, port: caddy.httpsPort, servername: host, ca: caddy.authority })
        : requestHttp({ ...shared, port: caddy.httpPort });
      asking.on('error', reject).on('response', async (answer) => {
        let body = '';
        for await (const chunk of answer) body += chunk;
        resolve({ status: answer.statusCode, location: answer.headers.location, body });
      });
      asking.end();
    });
  }

  const certificates = () => readdir(join(folder, 'caddy/certificates/local')).catch(() => []);

  it('an active link host gets a certificate, and its visitors are redirected through TLS', async () => {
    const made = await service.program();
    const host = await activeHost(service, made);
    const { status, location } = await get(host, `/${made.link}`);
    expect(status).toBe(302);
    expect(location).toMatch(new RegExp(`^https://acme\\.test/\\?aff=${made.link}&svc_click_id=cust_\\d+_\\d+$`));
    expect(await certificates()).toContain(host);
    const [click] = await service.sql('select user_agent from clicks where program_id = $1', [made.program.id]);
    expect(click?.user_agent).toContain('Chrome/130');
    expect((await get(host, '/app')).location).toBe('https://acme.test/');
    expect(await get(host, `/${made.link}?a=b`, { secure: false })).toMatchObject({
      status: 308,
      location: `https://${host}/${made.link}?a=b`,
    });
  });

  it('so does the service itself', async () => {
    expect(await get('track.test', '/healthz')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    expect((await get('track.test', '/internal/tls-allowed?domain=track.test')).status).toBe(404);
  });

  it('a host that is unknown or pending gets none', async () => {
    const made = await ownedProgram(service);
    const pending = newHost();
    await service.call('POST', manage(made, '/domains'), { key: made.owner.token, body: { host: pending } });
    for (const host of ['evil.test', pending, `x.${await activeHost(service, made)}`]) {
      await expect(get(host, '/')).rejects.toThrow(/alert/);
      expect(await certificates()).not.toContain(host);
    }
  });

  it('visitors cannot choose another host by a header', async () => {
    const made = await service.program();
    const host = await activeHost(service, made);
    const headers = { 'x-forwarded-host': 'track.test' };
    expect((await get(host, '/app', { headers })).location).toBe('https://acme.test/');
  });
});
