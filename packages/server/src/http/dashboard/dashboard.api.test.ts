import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { signUp } from '@svc/testkit/service/accounts.ts';
import { pageSettings } from '@svc/testkit/service/page-settings.ts';
import { expectSameBytes } from '@svc/testkit/service/same-bytes.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { VERSION_PATTERN } from '@svc/testkit/service/version.ts';
import { describe, expect, it } from 'vitest';

const service = useService();
const closed = useService({ SVC_SIGNUP: 'closed', SVC_BASE_URL: 'https://brand.test' });

const PAGES = ['/', '/app', '/app/', '/app/sign-in', '/app/programs/1/overview?period=7d', '/invite'];

async function assetsOf(path: string): Promise<string[]> {
  const { text } = await service.call('GET', path);
  return [...text.matchAll(/<(?:script|link)[^>]*\s(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
}

const packagesOf = (baseUrl: string) => ({
  tracker: expect.stringMatching(`^${baseUrl}/packages/tracker-${VERSION_PATTERN}-[0-9a-f]{16}\\.tgz$`),
  node: expect.stringMatching(`^${baseUrl}/packages/node-${VERSION_PATTERN}-[0-9a-f]{16}\\.tgz$`),
});

describe('the page of the application', () => {
  it.each(PAGES)('is served at %s with a policy that allows only this service', async (path) => {
    const { status, headers, text } = await service.call('GET', path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/./),
    });
    expect(text).toMatch(/<div id="root"><\/div>/);
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:/i);
  });

  it('contains the public address of the service, whether sign-up is open, and that nobody has an account yet', async () => {
    const open = { base_url: 'https://track.test', packages: packagesOf('https://track.test'), signup: 'open' };
    expect(pageSettings(await service.call('GET', '/'))).toEqual({ ...open, first_start: true });
    await signUp(service);
    expect(pageSettings(await service.call('GET', '/'))).toEqual(open);
    expect(pageSettings(await closed.call('GET', '/'))).toEqual({
      base_url: 'https://brand.test',
      packages: packagesOf('https://brand.test'),
      signup: 'closed',
    });
  });

  it('is available with HEAD, without the body', async () => {
    const { status, text } = await service.call('HEAD', '/app/sign-in');
    expect([status, text]).toEqual([200, '']);
  });

  it.each(['/apps', '/application', '/invite/x', '/api/v1/app', '/api/nowhere'])(
    'is not served at %s',
    async (path) => {
      const answer = await service.call('GET', path);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual(platformError(404, 'NotFoundError', 'Not Found'));
    },
  );
});

describe('the assets of the application', () => {
  it('are all served by this service, with names that change with their content', async () => {
    const assets = await assetsOf('/');
    expect(assets.length).toBeGreaterThanOrEqual(3);
    for (const asset of assets) expect(asset).toMatch(/^\/assets\/[\w-]+-[\w-]{8}\.(js|css|svg|woff2)$/);
  });

  it('are cached forever, compressed, and only available to pages of this service', async () => {
    const [script = ''] = (await assetsOf('/')).filter((path) => path.endsWith('.js'));
    const get = (encoding: string, extra = {}) =>
      service.service.http.inject({ url: script, headers: { 'accept-encoding': encoding, ...extra } });
    const [plain, br, gzip] = await Promise.all([get('identity'), get('br'), get('gzip')]);
    for (const answer of [plain, br, gzip]) {
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        vary: 'Accept-Encoding',
      });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    expectSameBytes(brotliDecompressSync(br.rawPayload), plain.rawPayload);
    expectSameBytes(gunzipSync(gzip.rawPayload), plain.rawPayload);
    const again = await get('br', { 'if-none-match': String(br.headers.etag) });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
  });

  it.each([
    '/.git/config',
    '/assets/.git/config',
    '/assets/nothing.js',
    '/assets/..%2findex.html',
    '/assets/..%2f..%2fpackage.json',
    '/assets/',
  ])('do not include %s', async (path) => {
    const answer = await service.call('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual(platformError(404, 'NotFoundError', 'Not Found'));
  });
});
