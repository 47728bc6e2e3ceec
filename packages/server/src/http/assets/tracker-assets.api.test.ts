import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expectSameBytes } from '@svc/testkit/service/same-bytes.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { VERSION, VERSION_PATTERN } from '@svc/testkit/service/version.ts';
import { describe, expect, it } from 'vitest';
import { createDownloads } from './downloads.ts';

const service = useService();

/** The response with its bytes as they were sent. */
async function fetchRaw(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const response = await service.service.http.inject({ method, url, headers });
  return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload };
}

describe('the script', () => {
  it('is served to any origin, with long caching and an ETag', async () => {
    const { status, headers, bytes } = await fetchRaw('/js/svc-tracker.js', { origin: 'https://shop.test' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^"[0-9a-f]{16}"$/),
    });
    expect(headers['content-encoding']).toBeUndefined();
    expect(bytes.toString()).toContain('svc_click_id');
  });

  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate, br;q=0', 'gzip', gunzipSync],
    ['GZIP', 'gzip', gunzipSync],
  ])('is compressed for a client that accepts %s', async (accepted, encoding, decompress) => {
    const plain = await fetchRaw('/js/svc-tracker.js');
    const { headers, bytes } = await fetchRaw('/js/svc-tracker.js', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(bytes.length).toBeLessThanOrEqual(1600);
    expectSameBytes(decompress(bytes), plain.bytes);
    expect(headers.etag).not.toBe(plain.headers.etag);
  });

  it('is answered with 304 to a client that has it', async () => {
    const { headers } = await fetchRaw('/js/svc-tracker.js', { 'accept-encoding': 'br' });
    const etag = String(headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await fetchRaw('/js/svc-tracker.js', { 'accept-encoding': 'br', 'if-none-match': known });
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag]);
    }
    const other = await fetchRaw('/js/svc-tracker.js', { 'accept-encoding': 'br', 'if-none-match': '"other"' });
    expect(other.status).toBe(200);
  });

  it('is available with HEAD, but not with other methods', async () => {
    const { status, headers, bytes } = await fetchRaw('/js/svc-tracker.js', {}, 'HEAD');
    expect([status, bytes.length]).toEqual([200, 0]);
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
    const refused = await service.call('POST', '/js/svc-tracker.js', { body: {} });
    expect(refused.status).toBe(405);
    expect(refused.headers.allow).toContain('GET');
  });

  it('has an immutable URL and a published hash', async () => {
    const { status, headers, body } = await service.call('GET', '/js/svc-tracker.json');
    const script = await fetchRaw('/js/svc-tracker.js');
    const integrity = `sha384-${createHash('sha384').update(script.bytes).digest('base64')}`;
    const hash = createHash('sha256').update(script.bytes).digest('hex').slice(0, 16);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'public, no-cache' });
    expect(body).toEqual({
      version: VERSION,
      url: 'https://track.test/js/svc-tracker.js',
      immutable_url: `https://track.test/js/svc-tracker.${hash}.js`,
      integrity,
      stripe_url: 'https://track.test/js/svc-tracker-stripe.js',
      stripe_immutable_url: expect.stringMatching(/^https:\/\/track\.test\/js\/svc-tracker-stripe\.[0-9a-f]{16}\.js$/),
      stripe_integrity: expect.stringMatching(/^sha384-/),
      package_url: 'https://track.test/packages/tracker.tgz',
      package_immutable_url: expect.stringMatching(
        new RegExp(`^https://track\\.test/packages/tracker-${VERSION_PATTERN}-[0-9a-f]{16}\\.tgz$`),
      ),
      script_tag: '<script async src="https://track.test/js/svc-tracker.js" data-svc-program-id="PROGRAM_ID"></script>',
    });
    const immutable = await fetchRaw(new URL(body.immutable_url).pathname);
    expect(immutable.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expectSameBytes(immutable.bytes, script.bytes);
  });

  it('replaces earlier builds that nobody has loaded, but no other files', async () => {
    const earlier = await fetchRaw('/js/svc-tracker.0123456789abcdef.js');
    expect(earlier.status).toBe(302);
    expect(earlier.headers).toMatchObject({
      location: 'https://track.test/js/svc-tracker.js',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    });
    const unknown = await service.call('GET', '/js/other.js');
    expect([unknown.status, unknown.body]).toEqual([404, platformError(404, 'NotFoundError', 'Not Found')]);
  });
});

describe('the script for Stripe', () => {
  it('is at most 400 bytes larger', async () => {
    const { status, headers, bytes } = await fetchRaw('/js/svc-tracker-stripe.js', { 'accept-encoding': 'gzip' });
    expect([status, headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(bytes.length).toBeLessThanOrEqual(2000);
    expect(gunzipSync(bytes).toString()).toContain('client_reference_id');
  });
});

describe('the script of a program', () => {
  it.each([
    ['', 2000],
    ['-stripe', 2400],
  ])('svc-tracker%s-<id>.js has its parameters and days, as they are now', async (variant, maxBytes) => {
    const { program } = await service.program({ linkParameters: ['via', '_get'], cookieWindowDays: 30 });
    const path = `/js/svc-tracker${variant}-${program.id}.js`;
    const { status, headers, bytes } = await fetchRaw(path, { 'accept-encoding': 'gzip' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
      'access-control-allow-origin': '*',
      'content-encoding': 'gzip',
    });
    expect(bytes.length).toBeLessThanOrEqual(maxBytes);
    expect(gunzipSync(bytes).toString()).toContain('{"linkParameters":["via","_get"],"cookieDays":30}');

    await service.sql(`update programs set link_parameters = '{ref}' where id = $1`, [program.id]);
    await expect
      .poll(async () => (await fetchRaw(path)).bytes.toString())
      .toContain('{"linkParameters":["ref"],"cookieDays":30}');
  });

  it.each(['', '-stripe'])('svc-tracker%s-<id>.js is also there for a program without options', async (variant) => {
    const { program } = await service.program();
    const { status, bytes } = await fetchRaw(`/js/svc-tracker${variant}-${program.id}.js`);
    expect([status, bytes.toString()]).toEqual([200, expect.stringContaining('{"linkParameters":[],"cookieDays":60}')]);
  });

  it.each(['', '-stripe'])('is the shared one, svc-tracker%s.js, where there is no such program', async (variant) => {
    const shared = await fetchRaw(`/js/svc-tracker${variant}.js`);
    const { status, bytes } = await fetchRaw(`/js/svc-tracker${variant}-999999999999999.js`);
    expect(status).toBe(200);
    expectSameBytes(bytes, shared.bytes);
    for (const id of ['x', '1x', '-1', '1'.repeat(16)]) {
      expect((await fetchRaw(`/js/svc-tracker${variant}-${id}.js`)).status).toBe(404);
    }
  });
});

describe.each(['tracker', 'node', 'cli'] as const)('the package %s', (name) => {
  it('is served as a tarball with the same bytes each time', async () => {
    const first = await fetchRaw(`/packages/${name}.tgz`);
    const second = await fetchRaw(`/packages/${name}.tgz`, { 'accept-encoding': 'br' });
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({ 'content-type': 'application/gzip', 'cache-control': 'public, no-cache' });
    expect(second.headers['content-encoding']).toBeUndefined();
    expectSameBytes(second.bytes, first.bytes);
    const known = await fetchRaw(`/packages/${name}.tgz`, { 'if-none-match': String(first.headers.etag) });
    expect(known.status).toBe(304);
  });

  it('has an address of its own for each release, which is the same wherever the release runs', async () => {
    const { body } = await service.call('GET', '/packages.json');
    const { version, url, immutable_url: immutableUrl, integrity, sha512 } = body[name];
    expect([version, url]).toEqual([VERSION, `https://track.test/packages/${name}.tgz`]);
    const { pathname } = new URL(immutableUrl);
    const released = await fetchRaw(pathname);
    expect(released.status).toBe(200);
    expect(released.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(`sha384-${createHash('sha384').update(released.bytes).digest('base64')}`).toBe(integrity);
    expect(`sha512-${createHash('sha512').update(released.bytes).digest('base64')}`).toBe(sha512);
    expectSameBytes(released.bytes, (await fetchRaw(`/packages/${name}.tgz`)).bytes);

    // Another installation of the release serves the same bytes, whatever its address and settings are.
    const elsewhere = await createDownloads({ ...service.ctx, baseUrl: 'https://moved.test' }, '/q9').load(name);
    expect(elsewhere.immutableUrl).toBe(`https://moved.test${pathname}`);
    expectSameBytes(elsewhere.asset.variants.at(-1)?.body, released.bytes);
  });

  it('is kept by a release that has run, for later ones, whether or not anybody has downloaded it', async () => {
    const released = createDownloads(service.ctx);
    const { immutablePath, asset } = await released.load(name);
    await service.sql('delete from downloads where path = $1', [immutablePath]);
    await released.keepAll();
    const kept = await service.sql('select content_base64 from downloads where path = $1', [immutablePath]);
    expectSameBytes(asset.variants.at(-1)?.body, Buffer.from(String(kept[0]?.content_base64), 'base64'));

    const earlier = `/packages/${name}-0.0.1-fedcba9876543210.tgz`;
    await service.sql('update downloads set path = $2 where path = $1', [immutablePath, earlier]);
    const { status, headers, bytes } = await fetchRaw(earlier);
    expect([status, headers['content-type']]).toEqual([200, 'application/gzip']);
    expectSameBytes(asset.variants.at(-1)?.body, bytes);
  });

  it('is not found under a hash that was never served', async () => {
    const unknown = await service.call('GET', `/packages/${name}-${VERSION}-0123456789abcdef.tgz`);
    expect([unknown.status, unknown.body]).toEqual([404, platformError(404, 'NotFoundError', 'Not Found')]);
    expect((await service.call('GET', `/packages/${name}-1.0.0%00-0123456789abcdef.tgz`)).status).toBe(404);
  });
});

describe('the immutable address of a script', () => {
  it('serves an earlier build to pages that pin it', async () => {
    const path = '/js/svc-tracker.fedcba9876543210.js';
    await service.sql(
      `insert into downloads (path, media_type, content_base64, created_at) values ($1, $2, $3, now())`,
      [path, 'text/javascript; charset=utf-8', Buffer.from('{}').toString('base64')],
    );
    const { status, headers, bytes } = await fetchRaw(path);
    expect([status, bytes.toString()]).toEqual([200, '{}']);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
    });
  });
});

describe('the page about the tracker', () => {
  it('shows the tag and the hash, and runs no scripts', async () => {
    const { status, headers, text } = await service.call('GET', '/docs/tracker');
    const { body } = await service.call('GET', '/js/svc-tracker.json');
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain(body.integrity);
    expect(text).toContain(`npm i ${body.package_immutable_url}`);
    expect(text).toContain('https://track.test/js/svc-tracker-stripe.js');
    expect(text.match(/<script/g)).toHaveLength(1);
  });
});
