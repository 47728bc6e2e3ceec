import { readFile } from 'node:fs/promises';
import { createContext, runInContext } from 'node:vm';
import { transform } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const EVENT = { id: 'evt_1', type: 'sale.created', sequence: 1042, data: { sale: { customer_key: 'Zoë' } } };
const BODY = JSON.stringify(EVENT);
const NOW = Date.parse('2026-03-10T12:00:00Z');

/** The headers of a delivery, signed by the published library. */
function signed(body = BODY, { secrets = [SECRET], at = NOW, id = 'evt_1' } = {}) {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

const verify = (body: string | Uint8Array | ArrayBuffer, headers: WebhookHeaders, secret: string | string[] = SECRET) =>
  verifyWebhook(body, headers, secret, { now: NOW });
const refusedAs = (code: string, message: RegExp) =>
  expect.objectContaining({ name: 'SvcError', code, isRetryable: false, message: expect.stringMatching(message) });

describe('verifyWebhook', () => {
  const bytes = new TextEncoder().encode(BODY);

  it.each<[string, WebhookHeaders]>([
    ['of Node, Express and Fastify', signed()],
    ['of a standard Request', new Request('https://shop.test', { method: 'POST', headers: signed() }).headers],
    ['in a plain object, whatever their case', upperCase(signed())],
    ['that occur several times', Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name, [value]]))],
  ])('finds the headers %s', async (_name, headers) => {
    expect(await verify(BODY, headers)).toEqual(EVENT);
  });

  it.each<[string, string | Uint8Array | ArrayBuffer]>([
    ['text', BODY],
    ['bytes', bytes],
    ['a Buffer', Buffer.from(BODY)],
    ['an ArrayBuffer', bytes.buffer],
    ['a part of a larger buffer', Buffer.from(`xx${BODY}yy`).subarray(2, 2 + bytes.length)],
  ])('takes the body as %s', async (_name, body) => {
    expect(await verify(body, signed())).toEqual(EVENT);
  });

  it('accepts any of several signatures and of several secrets, while a secret is being replaced', async () => {
    const both = signed(BODY, { secrets: [OTHER, SECRET] });
    expect(await verify(BODY, both)).toEqual(EVENT);
    expect(await verify(BODY, both, OTHER)).toEqual(EVENT);
    expect(await verify(BODY, signed(), [OTHER, SECRET])).toEqual(EVENT);
    const withOthers = { ...signed(), 'webhook-signature': `v1a,AAAA v2,x ${signed()['webhook-signature']}` };
    expect(await verify(BODY, withOthers)).toEqual(EVENT);
    expect(await verify(BODY, signed(), SECRET.slice('whsec_'.length))).toEqual(EVENT);
  });

  it.each<[string, string, Record<string, string>]>([
    ['another body', `${BODY} `, signed()],
    ['another id', BODY, { ...signed(), 'webhook-id': 'evt_2' }],
    ['another time', BODY, { ...signed(), 'webhook-timestamp': String(NOW / 1000 + 1) }],
    ['another secret', BODY, signed(BODY, { secrets: [OTHER] })],
    ['a signature that is cut off', BODY, { ...signed(), 'webhook-signature': 'v1,AAAA' }],
    ['a signature that is not base64', BODY, { ...signed(), 'webhook-signature': 'v1,%' }],
    [
      'a signature of another version',
      BODY,
      { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1', 'v9') },
    ],
  ])('refuses %s', async (_name, body, headers) => {
    await expect(verify(body, headers)).rejects.toEqual(refusedAs('invalid_signature', /^No signature fits/));
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('refuses a request without %s', async (name) => {
    const { [name as 'webhook-id']: _left, ...headers } = signed();
    await expect(verify(BODY, headers)).rejects.toEqual(refusedAs('invalid_signature', /lacks a webhook-id/));
  });

  it('refuses what is older, or newer, than the tolerance, to the second', async () => {
    const at = (seconds: number) => verify(BODY, signed(BODY, { at: NOW + seconds * 1000 }));
    expect(await at(-300)).toEqual(EVENT);
    expect(await at(300)).toEqual(EVENT);
    await expect(at(-301)).rejects.toEqual(refusedAs('invalid_signature', /too old/));
    await expect(at(301)).rejects.toEqual(refusedAs('invalid_signature', /from the future/));
    const headers = { ...signed(), 'webhook-timestamp': 'yesterday' };
    await expect(verify(BODY, headers)).rejects.toEqual(refusedAs('invalid_signature', /not a time in seconds/));
    const patient = { now: NOW + 3_600_000, toleranceSeconds: 3_600 };
    expect(await verifyWebhook(BODY, signed(), SECRET, patient)).toEqual(EVENT);
  });

  it('accepts the example of the Standard Webhooks', async () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const now = 1_614_265_330_000;
    expect(await verifyWebhook('{"test": 2432232314}', headers, SECRET, { now })).toEqual({ test: 2_432_232_314 });
  });

  it('compares with the clock, unless it is told a time', async () => {
    const headers = signed(BODY, { at: Date.now() });
    expect(await verifyWebhook(BODY, headers, SECRET)).toEqual(EVENT);
  });

  it.each([[''], [[]], [undefined], ['whsec_'], ['whsec_%']])('says that the secret %j is none', async (secret) => {
    await expect(verifyWebhook(BODY, signed(), secret as string, { now: NOW })).rejects.toEqual(
      refusedAs('not_configured', /whsec_/),
    );
  });

  it('says that parsed JSON is too late', async () => {
    await expect(verify(EVENT as never, signed())).rejects.toEqual(refusedAs('invalid_request', /before it is parsed/));
  });

  it('needs nothing but what every edge runtime has', async () => {
    const sources = ['svc-error.ts', 'verify-webhook.ts'].map((name) =>
      readFile(new URL(name, import.meta.url), 'utf8'),
    );
    const typescript = (await Promise.all(sources)).join('\n').replace(/^import .*$/gm, '');
    const { code } = await transform(typescript, { loader: 'ts', format: 'esm', target: 'es2022' });
    const script = `${code.replace(/^export \{[^}]*\};?$/gm, '').replace(/^export /gm, '')}\nverifyWebhook;`;
    const edge = createContext({ crypto: globalThis.crypto, TextEncoder, TextDecoder, atob });
    const verifyThere = runInContext(script, edge) as typeof verifyWebhook;
    expect(await verifyThere(BODY, signed(), SECRET, { now: NOW })).toEqual(EVENT);
    expect(await verifyThere(bytes, signed(), SECRET, { now: NOW })).toEqual(EVENT);
    await expect(verifyThere(`${BODY} `, signed(), SECRET, { now: NOW })).rejects.toMatchObject({
      code: 'invalid_signature',
    });
  });
});

function upperCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}
