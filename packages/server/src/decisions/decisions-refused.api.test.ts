import { decisionsDuring } from '@svc/testkit/service/decisions.ts';
import { type CallOptions, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { explain } from '../reporting/explain.ts';

const service = useService();
const limited = useService({ SVC_RATE_LIMITS: 'click=1,lead=1,sale=1,readiness=1,cli=1' });

const KINDS = ['lead', 'sale', 'refund'] as const;
type Kind = (typeof KINDS)[number];

const send = (kind: Kind, options: CallOptions) => service.call('POST', `/api/v1/track/${kind}`, options);
const json = { 'content-type': 'application/json' };

describe('an attempt that is refused early leaves exactly one decision', () => {
  const cases: [string, number, string, (on: TestProgram) => CallOptions][] = [
    ['malformed JSON', 400, 'Invalid JSON body', () => ({ body: '{"transaction_id":', headers: json })],
    ['a body that is not an object', 400, 'Request body must be a JSON object', () => ({ body: '[1]', headers: json })],
    [
      'another content type',
      415,
      'Unsupported content type. Send the body as application/json.',
      () => ({ body: '<lead/>', headers: { 'content-type': 'application/xml' } }),
    ],
    [
      'a body over 64 KiB',
      413,
      'Request body is larger than 64 KiB',
      () => ({ body: JSON.stringify({ transaction_id: 'x'.repeat(70_000) }), headers: json }),
    ],
    [
      'a field of the wrong type',
      400,
      'additional_data must be an object',
      () => ({
        body: { transaction_id: newId('order'), amount_cents: 1, customer_key: 'user_1', additional_data: 7 },
      }),
    ],
  ];

  for (const kind of KINDS) {
    it.each(cases)(`${kind}: %s, %i`, async (_case, status, message, optionsFor) => {
      const on = await service.program();
      const requestId = newId('request');
      const options = optionsFor(on);
      const decisions = await decisionsDuring(service, async () => {
        const answer = await send(kind, {
          ...options,
          key: on.apiKey,
          headers: { ...options.headers, 'x-request-id': requestId },
        });
        expect(answer.status).toBe(status);
        expect(answer.body.error.message).toBe(message);
      });
      expect(decisions).toHaveLength(1);
      expect(decisions[0]).toMatchObject({
        program_id: on.program.id,
        kind,
        outcome: 'refused',
        reason: 'invalid_request',
        facts: { message },
        source: 'api',
        request_id: requestId,
        customer_id: null,
        partner_id: null,
        sale_id: null,
        created_at: service.time,
      });
    });
  }

  it.each<[Kind, object, object]>([
    ['lead', {}, { transaction_id: null, customer_key: null, click_id: null }],
    [
      'lead',
      { email: 7, customer_key: 'user_1', click_id: 'cust_1_1' },
      { customer_key: 'user_1', click_id: 'cust_1_1' },
    ],
    [
      'sale',
      { transaction_id: 'order_7', customer_key: 'user_1' },
      { transaction_id: 'order_7', customer_key: 'user_1' },
    ],
    ['sale', { transaction_id: 'a\u0000b', click_id: 'cust_1_1' }, { transaction_id: null, click_id: 'cust_1_1' }],
    ['sale', { transaction_id: 'x'.repeat(256), customer_key: { a: 1 } }, { transaction_id: null, customer_key: null }],
    ['refund', { transaction_id: 'order_7', refund_amount_cents: -1 }, { transaction_id: 'order_7' }],
  ])('that keeps the identifiers that can be stored: %s %j', async (kind, body, kept) => {
    const on = await service.program();
    const decisions = await decisionsDuring(service, () => send(kind, { body, key: on.apiKey }));
    expect(decisions).toHaveLength(1);
    expect(decisions[0]).toMatchObject({ program_id: on.program.id, reason: 'invalid_request', ...kept });
  });

  it('that keeps an integer customer_key as its decimal string', async () => {
    const on = await service.program();
    const body = { transaction_id: newId('order'), amount_cents: 0, customer_key: 4211 };
    await service.sale(body, { key: on.apiKey });
    expect(await explain(service.ctx, on.program.id, { customerKey: '4211' })).toMatchObject([
      { reason: 'invalid_request', customerKey: '4211' },
    ]);
  });

  it.each(KINDS)('for a %s with a retired key', async (kind) => {
    const on = await service.program();
    await service.sql('update program_keys set marked_at = $2, rotate_by = $2 where program_id = $1', [
      on.program.id,
      service.time,
    ]);
    service.advance({ seconds: 60 });
    const decisions = await decisionsDuring(service, async () => {
      const { status } = await send(kind, { body: { transaction_id: 'order_1' }, key: on.apiKey });
      expect(status).toBe(401);
    });
    expect(decisions).toHaveLength(1);
    expect(decisions[0]).toMatchObject({ program_id: on.program.id, kind, outcome: 'refused', reason: 'key_retired' });
  });

  it.each(KINDS)('marked as a test, for a test %s whose program_id does not match the API key', async (kind) => {
    const [on, other] = [await service.program(), await service.program()];
    const body = {
      transaction_id: newId('order'),
      amount_cents: 1,
      customer_key: 'user_1',
      additional_data: { test_mode: true, program_id: other.program.id },
    };
    const decisions = await decisionsDuring(service, async () => {
      expect((await send(kind, { body, key: on.apiKey })).status).toBe(403);
    });
    expect(decisions).toHaveLength(1);
    expect(decisions[0]).toMatchObject({
      program_id: on.program.id,
      reason: 'program_mismatch',
      facts: { message: 'program_id does not match the API key' },
      is_test: true,
    });
  });

  it('marked as a test, for a malformed test event', async () => {
    const on = await service.program();
    const body = { amount_cents: -1, additional_data: { test_mode: true } };
    const decisions = await decisionsDuring(service, () => service.sale(body, { key: on.apiKey }));
    expect(decisions).toMatchObject([{ reason: 'invalid_request', is_test: true }]);
  });

  it('for a test sale whose first generated test_txn_<timestamp> is already in use', async () => {
    const on = await service.program();
    const test = { additional_data: { test_mode: true } };
    service.advance({ seconds: 1 });
    await service.sale({ transaction_id: `test_txn_${service.time.getTime()}`, ...test }, { key: on.apiKey });
    const decisions = await decisionsDuring(service, async () => {
      expect((await service.sale(test, { key: on.apiKey })).status).toBe(200);
    });
    expect(decisions).toMatchObject([{ reason: 'test_event', outcome: 'recorded' }]);
  });
});

describe('no decision is left by', () => {
  it.each(KINDS)('a %s with a token that matches no program', async (kind) => {
    const decisions = await decisionsDuring(service, async () => {
      const body = { transaction_id: newId('order'), amount_cents: 1, customer_key: 'user_1' };
      expect((await send(kind, { body, key: `svc_key_${'A'.repeat(32)}` })).status).toBe(401);
    });
    expect(decisions).toEqual([]);
  });

  it.each(KINDS)('a %s with a malformed Authorization header', async (kind) => {
    const decisions = await decisionsDuring(service, async () => {
      const headers = { authorization: 'Basic dXNlcjpwYXNz' };
      expect((await send(kind, { body: { customer_key: 'user_1' }, headers })).status).toBe(401);
    });
    expect(decisions).toEqual([]);
  });

  it('a browser-mode lead that names no program', async () => {
    const decisions = await decisionsDuring(service, async () => {
      expect((await service.lead({ customer_key: 'user_1' })).status).toBe(400);
      expect((await service.lead({ click_id: 'cust_999999999_1' })).status).toBe(400);
      expect((await service.lead({ customer_key: 'user_1', program_id: 999_999_999 })).status).toBe(400);
    });
    expect(decisions).toEqual([]);
  });

  it('a click, recorded or refused', async () => {
    const on = await service.program();
    const decisions = await decisionsDuring(service, async () => {
      expect((await service.click({ affiliate_url: `https://acme.test/?aff=${on.link}` })).status).toBe(200);
      expect((await service.click({}, { key: on.apiKey })).status).toBe(400);
      const otherProgram = { additional_data: { test_mode: true, program_id: on.program.id + 1 } };
      expect((await service.click(otherProgram, { key: on.apiKey })).status).toBe(403);
    });
    expect(decisions).toEqual([]);
  });

  it('readiness, or a known path with another method', async () => {
    const on = await service.program();
    const decisions = await decisionsDuring(service, async () => {
      expect((await service.readiness(on.apiKey)).status).toBe(200);
      expect((await service.call('GET', '/api/v1/track/sale', { key: on.apiKey })).status).toBe(405);
    });
    expect(decisions).toEqual([]);
  });

  it.each(KINDS)('a %s over the rate limit', async (kind) => {
    const on = await limited.program();
    const clickIp = `10.0.${KINDS.indexOf(kind)}.1`;
    const options = { body: { transaction_id: 'order_1' }, key: on.apiKey, ip: clickIp };
    await limited.call('POST', `/api/v1/track/${kind}`, options);
    const decisions = await decisionsDuring(limited, async () => {
      const { status, body } = await limited.call('POST', `/api/v1/track/${kind}`, options);
      expect(status).toBe(429);
      expect(body.error.code).toBe('rate_limited');
    });
    expect(decisions).toEqual([]);
  });
});
