import { randomBytes, randomUUID } from 'node:crypto';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { type Answer, type CallOptions, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService({ SVC_RATE_LIMITS: '' });

type Route = {
  route: string;
  limit: number;
  /** Sends a request that would be recorded, if the route records anything. */
  send: (program: TestProgram, options: CallOptions) => Promise<Answer>;
  status: number;
};

const click: Route = {
  route: 'POST /api/v1/track/click',
  limit: 60,
  send: ({ link }, options) => service.click({ affiliate_url: `https://acme.test/?aff=${link}` }, options),
  status: 200,
};
const lead: Route = {
  route: 'POST /api/v1/track/lead',
  limit: 30,
  send: ({ program }, options) => service.lead({ customer_key: randomUUID(), program_id: program.id }, options),
  status: 200,
};
const sale: Route = {
  route: 'POST /api/v1/track/sale',
  limit: 120,
  send: (_program, options) =>
    service.sale({ transaction_id: randomUUID(), amount_cents: 1000, customer_key: 'buyer' }, options),
  status: 200,
};
const refund: Route = {
  route: 'POST /api/v1/track/refund',
  limit: 120,
  send: ({ program }, options) =>
    service.refund({ transaction_id: `order-${program.id}`, refund_amount_cents: 1 }, options),
  status: 200,
};
const readiness: Route = {
  route: 'GET /api/v1/programs/me/readiness',
  limit: 30,
  send: (_program, options) => service.call('GET', '/api/v1/programs/me/readiness', options),
  status: 200,
};
const cli: Route = {
  route: '/api/v1/cli/*',
  limit: 60,
  send: (_program, options) =>
    service.call('POST', '/api/v1/cli/test-event', { body: { event_type: 'lead' }, ...options }),
  status: 200,
};

const all = [click, lead, sale, refund, readiness, cli];
const perAddress = [click, lead];
const perKey = [sale, refund, readiness, cli];
/** The other routes that count in the window of this one. */
const sharesWindow = (one: Route) => [sale, refund].filter((other, _, both) => both.includes(one) && other !== one);

/** A program with a customer `buyer` who has paid once, so that every route has something to record. */
async function programWithSale(): Promise<TestProgram> {
  const made = await service.program();
  const options = { key: made.apiKey, ip: newAddress() };
  const { body } = await click.send(made, { ip: options.ip });
  await service.lead({ click_id: body.click_id, customer_key: 'buyer' }, options);
  const order = { transaction_id: `order-${made.program.id}`, amount_cents: 100_000, customer_key: 'buyer' };
  expect(await service.sale(order, options)).toMatchObject({ status: 200 });
  service.advance({ seconds: 60 });
  return made;
}

async function sendTimes(times: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let sent = 0; sent < times; sent += 1) answers.push(await send());
  return answers;
}

/** Looks like a key, but belongs to no program. */
const unknownKey = () => `svc_key_${randomBytes(24).toString('base64url')}`;
const remaining = ({ headers }: Answer) => headers['x-ratelimit-remaining'];
const unixTime = () => service.time.getTime() / 1000;
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];

describe.each(all)('$route: $limit per minute', (one) => {
  const { limit, send, status } = one;

  it('counts down to the limit, refuses what is over it before the endpoint runs, and opens when the window has passed', async () => {
    const made = await programWithSale();
    const options = { key: made.apiKey, ip: newAddress() };
    const answers = await sendTimes(limit, () => send(made, options));
    expect(statuses(answers)).toEqual([status]);
    expect(answers.map(remaining)).toEqual(Array.from({ length: limit }, (_, sent) => String(limit - 1 - sent)));
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-reset': String(unixTime() + 60),
      });
      expect(headers).not.toHaveProperty('retry-after');
    }

    const before = await service.counts(made.program.id);
    service.advance({ seconds: 17 });
    for (const answer of await sendTimes(2, () => send(made, options))) {
      expect(answer.status).toBe(429);
      expect(answer.body).toEqual({
        error: { status: 429, code: 'rate_limited', message: expect.stringMatching(/./), retry_after_seconds: 43 },
      });
      expect(answer.headers).toMatchObject({
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(unixTime() + 43),
        'retry-after': '43',
        'x-request-id': expect.stringMatching(/./),
      });
    }
    for (const sharing of sharesWindow(one)) expect(await sharing.send(made, options)).toMatchObject({ status: 429 });
    expect(await service.counts(made.program.id)).toEqual(before);

    service.advance({ seconds: 42.999 });
    const early = await send(made, options);
    expect(early).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    service.advance({ seconds: 0.001 });
    const later = await send(made, options);
    expect(later).toMatchObject({ status, headers: { 'x-ratelimit-remaining': String(limit - 1) } });
    expect(Number(later.headers['x-ratelimit-reset'])).toBe(Math.ceil(unixTime()) + 60);
  });
});

describe.each(perAddress)('$route: counted per client IP', ({ limit, send, status }) => {
  it('two addresses have separate windows', async () => {
    const made = await service.program();
    const ip = newAddress();
    await sendTimes(3, () => send(made, { ip }));
    expect(await send(made, { ip: newAddress() })).toMatchObject({
      status,
      headers: { 'x-ratelimit-remaining': String(limit - 1) },
    });
  });

  it('an address has one window, with any key or none', async () => {
    const [one, other] = [await service.program(), await service.program()];
    const ip = newAddress();
    await send(one, { ip, key: one.apiKey });
    await send(other, { ip, key: other.apiKey });
    await send(one, { ip });
    expect(remaining(await send(one, { ip }))).toBe(String(limit - 4));
  });

  it('a key from two addresses has two windows', async () => {
    const made = await service.program();
    const [one, other] = [newAddress(), newAddress()];
    await send(made, { ip: one, key: made.apiKey });
    expect(remaining(await send(made, { ip: other, key: made.apiKey }))).toBe(String(limit - 1));
  });
});

describe.each(perKey)('$route: counted per API key (IP when no key)', ({ limit, send }) => {
  it('a key has one window, from any address', async () => {
    const made = await programWithSale();
    await send(made, { key: made.apiKey, ip: newAddress() });
    expect(remaining(await send(made, { key: made.apiKey, ip: newAddress() }))).toBe(String(limit - 2));
  });

  it('two keys from one address have separate windows', async () => {
    const [one, other] = [await programWithSale(), await programWithSale()];
    const ip = newAddress();
    await sendTimes(3, () => send(one, { ip, key: one.apiKey }));
    expect(remaining(await send(other, { ip, key: other.apiKey }))).toBe(String(limit - 1));
  });

  it('requests without a key, with a malformed header or with an empty token share the window of the IP', async () => {
    const made = await programWithSale();
    const ip = newAddress();
    await send(made, { ip });
    await send(made, { ip, headers: { authorization: 'Basic YTpi' } });
    await send(made, { ip, headers: { authorization: 'Bearer' } });
    expect(remaining(await send(made, { ip }))).toBe(String(limit - 4));
    expect(remaining(await send(made, { ip, key: made.apiKey }))).toBe(String(limit - 1));
  });

  it('unknown tokens get no window of their own: they are counted by IP', async () => {
    const made = await programWithSale();
    const ip = newAddress();
    const answers = await sendTimes(3, () => send(made, { ip, key: unknownKey() }));
    expect(answers.map(remaining)).toEqual([1, 2, 3].map((sent) => String(limit - sent)));
    expect(remaining(await send(made, { ip: newAddress(), key: unknownKey() }))).toBe(String(limit - 1));
  });
});

it('unknown tokens are refused over the limit of their IP', async () => {
  const made = await service.program();
  const ip = newAddress();
  const answers = await sendTimes(readiness.limit, () => readiness.send(made, { ip, key: unknownKey() }));
  expect(statuses(answers)).not.toContain(429);
  expect(await readiness.send(made, { ip, key: unknownKey() })).toMatchObject({
    status: 429,
    body: { error: { code: 'rate_limited' } },
  });
});

describe('POST /api/v1/track/sale and POST /api/v1/track/refund: 120 combined', () => {
  it('share one window of a key', async () => {
    const made = await programWithSale();
    const options = { key: made.apiKey, ip: newAddress() };
    await sendTimes(2, () => sale.send(made, options));
    const refunds = await sendTimes(2, () => refund.send(made, options));
    expect(statuses(refunds)).toEqual([200]);
    expect(refunds.map(remaining)).toEqual(['117', '116']);
    expect(remaining(await sale.send(made, options))).toBe('115');
  });

  it('share one window of an address when there is no key', async () => {
    const made = await service.program();
    const ip = newAddress();
    await sendTimes(2, () => sale.send(made, { ip }));
    expect(remaining(await refund.send(made, { ip }))).toBe('117');
  });
});

describe('buckets', () => {
  it('of different routes are independent', async () => {
    const made = await programWithSale();
    const options = { key: made.apiKey, ip: newAddress() };
    await sendTimes(3, () => lead.send(made, options));
    await sendTimes(3, () => readiness.send(made, options));
    expect(remaining(await click.send(made, options))).toBe('59');
    expect(remaining(await sale.send(made, options))).toBe('119');
    expect(remaining(await cli.send(made, options))).toBe('59');
  });

  it('do not count preflights', async () => {
    const made = await service.program();
    const ip = newAddress();
    const headers = { origin: 'https://acme.test', 'access-control-request-method': 'POST' };
    const preflights = await sendTimes(100, () => service.call('OPTIONS', '/api/v1/track/click', { ip, headers }));
    expect(statuses(preflights)).toEqual([204]);
    expect(remaining(await click.send(made, { ip }))).toBe('59');
  });

  it.each([
    ['a body that is not JSON', { body: '{', headers: { 'content-type': 'application/json' } }],
    ['an unknown link', { body: { affiliate_url: 'https://acme.test/?aff=nobody' } }],
    ['another method', { method: 'GET' }],
  ])(
    '429 takes precedence over any other answer to %s',
    async (_what, { method = 'POST', ...request }: Record<string, unknown>) => {
      const ip = newAddress();
      const call = () => service.call(String(method), '/api/v1/track/click', { ip, ...request });
      expect(statuses(await sendTimes(60, call))).not.toContain(429);
      expect(await call()).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    },
  );
});
