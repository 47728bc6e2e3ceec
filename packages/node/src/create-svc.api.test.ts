import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { OPERATOR } from '../../server/src/audit/audit-store.ts';
import { requireRotation } from '../../server/src/programs/require-rotation.ts';
import { clickIdFrom, createSvc, type FetchLike, SvcError, type SvcOptions, type SvcWarning } from './index.ts';

const service = useService();
const limited = useService({ SVC_RATE_LIMITS: 'lead=1' });
let apiUrl = '';
let program: TestProgram;
let last = 0;

beforeAll(async () => {
  await service.service.http.listen({ port: 0, host: '127.0.0.1' });
  apiUrl = `http://127.0.0.1:${(service.service.http.server.address() as AddressInfo).port}`;
  program = await service.program();
  await limited.service.http.listen({ port: 0, host: '127.0.0.1' });
});

type Sent = {
  url: string;
  body: string | undefined;
  key: string | undefined;
  idempotencyKey: string | undefined;
  agent?: string;
};
type Fault = 'lost' | 'hanging' | Response;

/** A network that fails as often as told, and then works. */
function network(...faults: Fault[]) {
  const sent: Sent[] = [];
  const fetchThrough: FetchLike = async (url, init) => {
    const { Authorization: key, 'Idempotency-Key': idempotencyKey, 'User-Agent': agent = '' } = init.headers;
    sent.push({ url, body: init.body, key, idempotencyKey, agent });
    const fault = faults.shift();
    if (fault === 'lost') throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    if (fault === 'hanging') return new Promise((_, reject) => rejectWhenAborted(init.signal, reject));
    return fault ?? fetch(url, init);
  };
  return { sent, fetch: fetchThrough };
}

function rejectWhenAborted(signal: AbortSignal, reject: (reason: unknown) => void): void {
  signal.addEventListener('abort', () => reject(signal.reason));
}

const refused = (status: number, error: object, headers = {}) => Response.json({ error }, { status, headers });
const busy = (seconds: number) =>
  refused(429, { code: 'rate_limited', message: 'Too many requests.' }, { 'Retry-After': String(seconds) });

const client = (options: SvcOptions = {}) => createSvc({ apiKey: program.apiKey, apiUrl, ...options });
const newKey = () => {
  last += 1;
  return `user_${last}`;
};
const newLead = async () => ({ customer_key: newKey(), click_id: await service.clickId(program.link) });
const newSale = (customerKey: string) => ({
  transaction_id: `order_${customerKey}`,
  customer_key: customerKey,
  amount_cents: 4900,
});

describe('the server package', () => {
  it('reports a click, a lead, a sale and a refund, and the partner earns', async () => {
    const svc = client({ apiUrl: `${apiUrl}/` });
    const click = await svc.click({ affiliate_url: `https://acme.test/?aff=${program.link}` });
    if (click.outcome !== 'recorded') throw new Error(click.outcome);
    const visitor = new Request('https://acme.test', { headers: { cookie: `svc_click_id=${click.reply.click_id}` } });
    const customerKey = newKey();

    const lead = await svc.lead({ customer_key: customerKey, click_id: clickIdFrom(visitor) });
    const sale = await svc.sale(newSale(customerKey));
    const refund = await svc.refund({ transaction_id: `order_${customerKey}`, refund_amount_cents: 900 });

    expect(lead).toMatchObject({ ok: true, outcome: 'recorded', reply: { success: true } });
    expect(sale).toMatchObject({ outcome: 'recorded', reply: { data: { attributed: true, commission_cents: 980 } } });
    expect(refund).toMatchObject({ outcome: 'recorded', reply: { data: { deduction_cents: 180 } } });
  });

  it('logs nothing about customers who came on their own, and about what was recorded before', async () => {
    const logged = vi.spyOn(console, 'error');
    const svc = client();
    const lead = await newLead();
    await svc.lead(lead);
    await svc.sale(newSale(lead.customer_key));

    expect(await svc.sale(newSale(newKey()))).toEqual({
      ok: true,
      outcome: 'unattributed',
      reason: 'customer_not_found',
    });
    await svc.lead({ customer_key: 'organic' });
    expect(await svc.sale(newSale('organic'))).toMatchObject({ ok: true, reason: 'no_attribution' });
    expect(await svc.refund({ transaction_id: 'organic' })).toMatchObject({ ok: true, reason: 'sale_not_found' });
    expect(await svc.lead(lead)).toEqual({ ok: true, outcome: 'already_recorded' });
    expect(await svc.sale(newSale(lead.customer_key))).toEqual({ ok: true, outcome: 'already_recorded' });
    expect(logged).not.toHaveBeenCalled();
    logged.mockRestore();
  });

  it('reports a duplicate as an error to callers who ask for it', async () => {
    const failures: SvcError[] = [];
    const svc = client({ acceptDuplicates: false, onFailure: (error) => failures.push(error) });
    const lead = await newLead();
    await svc.lead(lead);
    await svc.sale(newSale(lead.customer_key));

    const again = await svc.sale(newSale(lead.customer_key));

    expect(again).toMatchObject({ ok: false, outcome: 'failed', error: { status: 409, code: 'conflict' } });
    expect(failures).toHaveLength(1);
    expect(failures[0]).toBeInstanceOf(SvcError);
  });

  it('retries with the same bytes and the same key, as long as the service asks for', async () => {
    const { sent, fetch } = network(busy(1), 'lost', refused(500, { message: 'Sale tracking failed' }));
    const svc = client({ fetch, timeoutMs: 20_000 });
    const lead = await newLead();
    await client().lead(lead);

    const before = performance.now();
    const sale = await svc.sale(newSale(lead.customer_key));

    expect(sale).toMatchObject({ outcome: 'recorded' });
    expect(performance.now() - before).toBeGreaterThan(1_000);
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(sent[0]).toMatchObject({
      url: `${apiUrl}/api/v1/track/sale`,
      key: `Bearer ${program.apiKey}`,
      idempotencyKey: expect.stringMatching(/^[\w-]{36}$/),
      agent: expect.stringMatching(/^svc-node\/\d+\.\d+\.\d+$/),
    });
  });

  it('does not retry what the service has refused for good', async () => {
    const { sent, fetch } = network();
    const failures: string[] = [];
    const svc = client({
      fetch,
      apiKey: 'svc_key_of_nobody',
      onFailure: ({ code }, event) => failures.push(event + code),
    });
    expect(await svc.lead({ customer_key: newKey() })).toMatchObject({
      ok: false,
      error: { code: 'unauthorized', status: 401, message: 'Invalid API token', requestId: expect.any(String) },
    });
    expect([sent.length, failures]).toEqual([1, ['leadunauthorized']]);
  });

  it('never holds its caller longer than the timeout, and goes on in the background', async () => {
    const { fetch } = network('hanging', 'lost');
    const outcomes: unknown[] = [];
    const svc = client({ fetch: shortAttempts(fetch), timeoutMs: 100, onOutcome: (outcome) => outcomes.push(outcome) });
    const lead = await newLead();

    const early = await svc.lead(lead);
    expect(early).toMatchObject({ ok: false, outcome: 'pending', error: { code: 'timeout', isRetryable: true } });
    expect(outcomes).toEqual([]);

    await svc.flush();
    expect(outcomes).toMatchObject([{ ok: true, outcome: 'recorded' }]);
    const rows = await service.sql('select status from customers where customer_key = $1', [lead.customer_key]);
    expect(rows).toEqual([{ status: 'lead' }]);
  });

  it('lets its caller go at once if the service asks for a longer wait', async () => {
    const svc = client({ fetch: network(busy(3_000)).fetch, timeoutMs: 60_000, onFailure() {} });
    expect(await svc.sale(newSale(newKey()))).toMatchObject({
      ok: false,
      outcome: 'failed',
      error: { code: 'rate_limited', retryAfterSeconds: 3_000 },
    });
    const patient = client({ fetch: network(busy(100)).fetch, timeoutMs: 60_000 });
    expect(await patient.sale(newSale(newKey()))).toMatchObject({
      outcome: 'pending',
      error: { code: 'rate_limited', retryAfterSeconds: 100 },
    });
  });

  it('ends with its caller’s time where nothing runs afterwards', async () => {
    const { sent, fetch } = network('hanging');
    const failures: SvcError[] = [];
    const svc = client({ fetch, timeoutMs: 100, retryForMs: 0, onFailure: (error) => failures.push(error) });
    expect(await svc.lead({ customer_key: newKey() })).toMatchObject({ outcome: 'failed', error: { code: 'timeout' } });
    await svc.flush();
    expect([sent.length, failures.length]).toEqual([1, 1]);
  });

  it('reports a batch with one request for 1,000 items, and says for each what became of it', async () => {
    const { sent, fetch } = network('lost');
    const svc = client({ fetch });
    const lead = await newLead();
    const organic = Array.from({ length: 20 }, () => ({ type: 'sale' as const, ...newSale(newKey()) }));
    // They cost the service nothing, so that the request is answered in time on a slow machine, too.
    const wrong = Array.from({ length: 978 }, () => ({ type: 'sale' as const, ...newSale(newKey()), amount_cents: 0 }));

    const outcomes = await svc.batch([
      { type: 'lead', ...lead },
      { type: 'sale', ...newSale(lead.customer_key) },
      ...organic,
      ...wrong,
      { type: 'refund', transaction_id: `order_${lead.customer_key}` },
    ]);

    expect(outcomes).toHaveLength(1_001);
    expect(outcomes[0]).toMatchObject({ outcome: 'recorded' });
    expect(outcomes[1]).toMatchObject({ outcome: 'recorded', reply: { data: { commission_cents: 980 } } });
    expect(new Set(outcomes.slice(2, 22).map(({ outcome }) => outcome))).toEqual(new Set(['unattributed']));
    expect(new Set(outcomes.slice(22, 1_000).map(({ outcome }) => outcome))).toEqual(new Set(['failed']));
    expect(outcomes[1_000]).toMatchObject({ outcome: 'recorded', reply: { data: { deduction_cents: 980 } } });
    // The first one was lost, and was sent again as it was.
    expect(sent.map(({ body }) => JSON.parse(body ?? '').items.length)).toEqual([1_000, 1_000, 1]);
    expect(sent[1]).toEqual(sent[0]);
    expect(sent[2]?.idempotencyKey).not.toBe(sent[1]?.idempotencyKey);
  });

  it('passes the deadline of a key on, once', async () => {
    const rotating = await service.program();
    const rotateBy = new Date(service.time.getTime() + 86_400_000).toISOString();
    await requireRotation(service.ctx, rotating.program, new Date(rotateBy), OPERATOR);
    const warnings: SvcWarning[] = [];
    const svc = client({ apiKey: rotating.apiKey, onWarning: (warning) => warnings.push(warning) });

    await svc.lead({ customer_key: newKey() });
    await svc.sale(newSale(newKey()));

    expect(warnings).toEqual([
      expect.objectContaining({ code: 'api_key_rotation_required', rotate_by: rotateBy, message: expect.any(String) }),
    ]);
  });

  it('reports a lead as a batch when strangers have used up the limit of its address', async () => {
    const ip = `http://127.0.0.1:${(limited.service.http.server.address() as AddressInfo).port}`;
    const own = await limited.program();
    const { sent, fetch } = network();
    const svc = createSvc({ apiKey: own.apiKey, apiUrl: ip, fetch, acceptDuplicates: false, onFailure() {} });
    expect(await svc.lead({ customer_key: 'first' })).toMatchObject({ outcome: 'recorded' });
    const click = await limited.clickId(own.link);

    expect(await svc.lead({ customer_key: 'second', click_id: click })).toEqual({
      ok: true,
      outcome: 'recorded',
      reply: { success: true, message: 'Lead tracked successfully' },
    });
    expect(await svc.lead({ customer_key: 'second', click_id: click })).toMatchObject({
      error: { status: 400, isRetryable: false },
    });
    expect(sent.map(({ url }) => url.split('/').at(-1))).toEqual(['lead', 'lead', 'batch', 'lead', 'batch']);
    expect(
      await limited.sql('select customer_key, status from customers where program_id = $1 and partner_id is not null', [
        own.program.id,
      ]),
    ).toEqual([{ customer_key: 'second', status: 'lead' }]);
  });

  it('follows no redirect: it says where to, and does not try again', async () => {
    const moved = (location: string) => new Response(null, { status: 301, headers: { location } });
    const { sent, fetch } = network(moved('https://www.track.test/api/v1/track/sale'), moved('/elsewhere'));
    const svc = client({ fetch, onFailure() {} });
    expect(await svc.sale(newSale(newKey()))).toMatchObject({
      outcome: 'failed',
      error: {
        code: 'not_configured',
        status: 301,
        message: 'SVC_API_URL redirects to https://www.track.test. Set it to the address that answers',
      },
    });
    expect(await svc.sale(newSale(newKey()))).toMatchObject({
      error: { message: 'SVC_API_URL redirects. Set it to the address that answers', isRetryable: false },
    });
    expect(sent).toHaveLength(2);
    // The platform does not follow either.
    const site = createServer((_request, response) => response.writeHead(302, { location: `${apiUrl}/healthz` }).end());
    await once(site.listen(0, '127.0.0.1'), 'listening');
    const { port } = site.address() as AddressInfo;
    const real = createSvc({ apiKey: program.apiKey, apiUrl: `http://127.0.0.1:${port}`, onFailure() {} });
    expect(await real.sale(newSale(newKey()))).toMatchObject({ error: { code: 'not_configured', status: 302 } });
    site.close();
  });

  it.each<[string, SvcOptions, RegExp]>([
    ['no scheme', { apiUrl: 'localhost:4000' }, /^SVC_API_URL is “localhost:4000”\. .* starting with https:\/\/$/],
    ['no host', { apiUrl: 'https://' }, /^SVC_API_URL is “https:\/\/”/],
    ['a pasted dash', { apiKey: 'svc_key_1–2' }, /^SVC_API_KEY contains a space or a character that no key has/],
    ['two words', { apiKey: 'svc_key_1 svc_key_2' }, /^SVC_API_KEY contains a space/],
  ])('says at once what is wrong with its settings: %s', async (_what, options, message) => {
    const { sent, fetch } = network();
    const svc = client({ fetch, onFailure() {}, ...options });
    expect(await svc.lead({ customer_key: 'a' })).toMatchObject({
      outcome: 'failed',
      error: { code: 'not_configured', isRetryable: false, message: expect.stringMatching(message) },
    });
    expect(sent).toEqual([]);
  });

  it('throws nothing, whatever it is given', async () => {
    const failures: SvcError[] = [];
    const svc = client({ onFailure: (error) => failures.push(error), apiKey: ` ${program.apiKey}\n` });
    const wrong = (value: unknown) => value as never;
    expect(await svc.batch(wrong(undefined))).toEqual([]);
    expect(await svc.batch(wrong({}))).toEqual([]);
    expect(await svc.batch([wrong(null)])).toMatchObject([{ ok: false }]);
    for (const value of [undefined, null, 7, 'text', [], 10n]) {
      expect(await svc.lead(wrong(value))).toMatchObject({ ok: false });
      expect(await svc.sale(wrong(value), wrong(null))).toMatchObject({ ok: false });
      expect(clickIdFrom(wrong(value))).toBeUndefined();
    }
    expect(clickIdFrom(wrong({ req: {} }))).toBeUndefined();
    expect(createSvc(wrong(null))).toHaveProperty('lead');
    expect(await svc.lead({ customer_key: 'a' }, { idempotencyKey: 'naïve' })).toMatchObject({
      error: { code: 'invalid_request', isRetryable: false },
    });
    expect(failures.every(({ isRetryable }) => !isRetryable)).toBe(true);
  });

  it('says on a platform without process how to pass the settings, and works with them', async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('index.ts', import.meta.url))],
      bundle: true,
      write: false,
      platform: 'neutral',
      format: 'iife',
      globalName: 'node',
    });
    const logged: string[] = [];
    const console = { error: (text: string) => logged.push(text), warn: (text: string) => logged.push(text) };
    const platform = {
      fetch,
      URL,
      crypto,
      AbortController,
      performance,
      AbortSignal,
      TextEncoder,
      setTimeout,
      clearTimeout,
      console,
    };
    const { svc, createSvc: create } = runInNewContext(
      `${outputFiles[0]?.text}; node`,
      platform,
    ) as typeof import('./index.ts');
    expect(runInNewContext('typeof process', platform)).toBe('undefined');

    const lead = await newLead();
    const missing = (message: string) => ({ outcome: 'failed', error: { code: 'not_configured', message } });
    expect(await svc.lead(lead)).toMatchObject(missing('Set SVC_API_URL to the URL of the service'));
    const how = 'Set SVC_API_KEY to the API key of the program, or pass it: createSvc({ apiKey: env.SVC_API_KEY })';
    expect(await create({ apiUrl }).lead(lead)).toMatchObject(missing(how));
    expect(logged).toEqual([expect.stringContaining('Set SVC_API_URL'), expect.stringContaining(how)]);
    expect(await create({ apiKey: program.apiKey, apiUrl }).lead(lead)).toMatchObject({
      ok: true,
      outcome: 'recorded',
    });
  });

  it('says which setting is missing, and survives callbacks and bodies that fail', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { SVC_API_KEY: before } = process.env;
    delete process.env.SVC_API_KEY;
    expect(await createSvc({ apiUrl }).lead({ customer_key: 'a' })).toMatchObject({
      error: { code: 'not_configured', message: 'Set SVC_API_KEY to the API key of the program' },
    });
    if (before !== undefined) process.env.SVC_API_KEY = before;
    expect(await createSvc({ apiKey: 'x', apiUrl: '' }).lead({ customer_key: 'a' })).toMatchObject({
      error: { code: 'not_configured', message: 'Set SVC_API_URL to the URL of the service' },
    });
    const broken = client({
      onFailure() {
        throw new Error('a mistake of the shop');
      },
    });
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(await broken.lead({ customer_key: 'a', additional_data: cycle })).toMatchObject({
      ok: false,
      error: { code: 'invalid_request', isRetryable: false },
    });
    expect(logged).toHaveBeenCalledTimes(3);
    logged.mockRestore();
  });
});

/** Attempts that end soon, so that the test does not wait for the real limit of one. */
function shortAttempts(through: FetchLike): FetchLike {
  return (url, init) => through(url, { ...init, signal: AbortSignal.any([init.signal, AbortSignal.timeout(300)]) });
}
