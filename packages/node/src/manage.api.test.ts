import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { MANAGE, routes } from '@svc/contract';
import { memberOf } from '@svc/testkit/service/accounts.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { createManage, type FetchLike, type Manage, SvcError } from './manage.ts';

const service = useService();
let apiUrl = '';
let token = '';
let program: TestProgram;
let manage: Manage;

beforeAll(async () => {
  await service.service.http.listen({ port: 0, host: '127.0.0.1' });
  apiUrl = `http://127.0.0.1:${(service.service.http.server.address() as AddressInfo).port}`;
  program = await service.program();
  ({ token } = await memberOf(service, program.program.workspaceId));
  manage = createManage({ token, apiUrl });
});

const params = () => ({ program_id: program.program.id });
const built = (name: string) => new URL(`../dist/package/dist/${name}`, import.meta.url);

describe('the client for the management API', () => {
  it('reads, changes and walks through lists, with the types of the contract', async () => {
    const { data } = await manage.call('GET /programs/:program_id', { params: params() });
    expect(data.name).toBe('Acme');
    // @ts-expect-error: a program has no such field
    expect(data.nmae).toBeUndefined();
    for (let count = 0; count < 4; count += 1) {
      await manage.call('POST /programs/:program_id/links', {
        params: params(),
        body: { partner_id: program.partnerId, short_link: `link-${count}-of-${program.program.id}` },
      });
    }
    const links: string[] = [];
    for await (const link of manage.rows('GET /programs/:program_id/links', {
      params: params(),
      query: { limit: 2 },
    })) {
      links.push(link.short_link);
    }
    expect(new Set(links).size).toBe(5);
    expect(links).toContain(program.link);
  });

  it('changes only what is still as it was read, if asked to', async () => {
    const read = await manage.call('GET /programs/:program_id', { params: params() });
    const rename = (name: string, ifMatch: object) =>
      manage.call('PATCH /programs/:program_id', { params: params(), body: { name }, ifMatch });
    expect((await rename('Acme Shop', read)).data.name).toBe('Acme Shop');
    await expect(rename('Acme Store', read)).rejects.toMatchObject({ status: 412, code: 'conflict' });
    const again = await manage.call('GET /programs/:program_id', { params: params() });
    expect(again.data.name).toBe('Acme Shop');
    await rename('Acme', again);
    const lossy: FetchLike = async (url, init) => {
      const response = await fetch(url, init);
      if (init.method === 'GET') return response;
      throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    };
    const unlucky = createManage({ token, apiUrl, fetch: lossy });
    const ifMatch = await unlucky.call('GET /programs/:program_id', { params: params() });
    const lost = unlucky.call('PATCH /programs/:program_id', { params: params(), body: { name: 'Acme' }, ifMatch });
    await expect(lost).rejects.toMatchObject({ code: 'unreachable' });
    await expect(rename('Other', { data: {} })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('does nothing twice: it repeats a lost call with its key', async () => {
    const keys: (string | undefined)[] = [];
    const lossy: FetchLike = async (url, init) => {
      keys.push(init.headers['Idempotency-Key']);
      const response = await fetch(url, init);
      if (keys.length === 1) throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
      return response;
    };
    const body = { partner_id: program.partnerId, short_link: `once-${program.program.id}` };
    const { data } = await createManage({ token, apiUrl, fetch: lossy }).call('POST /programs/:program_id/links', {
      params: params(),
      body,
    });
    expect(data.short_link).toBe(body.short_link);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  it.each<[string, (client: typeof createManage) => Promise<unknown>, object]>([
    [
      'a refusal',
      (create) => create({ token, apiUrl }).call('GET /programs/:program_id', { params: { program_id: 999_999 } }),
      { status: 404, isRetryable: false, requestId: expect.any(String) },
    ],
    [
      'a wrong token',
      (create) => create({ token: 'svc_at_of_nobody', apiUrl }).call('GET /programs', {}),
      { status: 401, code: 'unauthorized' },
    ],
    ['no token', (create) => create({ token: '', apiUrl }).call('GET /programs', {}), { code: 'not_configured' }],
    [
      'no scheme',
      (create) => create({ token, apiUrl: 'localhost:1' }).call('GET /programs', {}),
      { code: 'not_configured' },
    ],
    [
      'a parameter that is missing',
      (create) => create({ token, apiUrl }).call('GET /programs/:program_id', { params: {} as never }),
      { code: 'invalid_request', message: 'params.program_id is missing' },
    ],
    [
      'an answer of something in between',
      (create) =>
        create({ token, apiUrl, timeoutMs: 50, fetch: async () => Response.json({ ok: true }) }).call(
          'GET /programs',
          {},
        ),
      { code: 'unexpected_response' },
    ],
  ])('rejects with a SvcError: %s', async (_what, run, expected) => {
    const error = await run(createManage).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SvcError);
    expect(error).toMatchObject(expected);
  });
});

describe('the built package', () => {
  it('has a type for every route of the management API that does not send or take files', async () => {
    const types = await readFile(built('manage-routes.d.ts'), 'utf8');
    const listed = [...types.matchAll(/^'([A-Z]+ \/\S*)': \{$/gm)].map(([, route]) => route);
    const expected = routes
      .filter(({ path, replyType, receives }) => path.startsWith(MANAGE) && !replyType && !receives)
      .map(({ method, path }) => `${method} ${path.slice(MANAGE.length)}`);
    expect(listed.toSorted()).toEqual(expected.toSorted());
    expect(expected.length).toBeGreaterThan(100);
  });

  const bundleOf = async (code: string) => {
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir: new URL('.', built('index.js')).pathname },
      ...{ bundle: true, format: 'esm', minify: true, write: false },
    });
    return outputFiles[0]?.text ?? '';
  };

  it('is small, and leaves out what is not used', async () => {
    const manageOnly = await bundleOf(`export * from './manage.js'`);
    expect(manageOnly.length).toBeLessThan(15_000);
    const cookieOnly = await bundleOf(`import { clickIdFrom } from './index.js'; console.log(clickIdFrom(''))`);
    expect(cookieOnly.length).toBeLessThan(1_000);
  });

  it('names its version to the service', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    for (const file of ['version.js', 'cjs/version.js']) expect(await readFile(built(file), 'utf8')).toContain(version);
  });
});
