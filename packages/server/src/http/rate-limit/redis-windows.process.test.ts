import { AS_LONG_AS_A_TEST_MS, createRedis, findRedis, type RedisServer } from '@svc/testkit';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { TestService } from '@svc/testkit/service/service.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const missing = findRedis() === undefined;
if (missing) console.warn('Skipped: neither redis-server nor valkey-server is on the PATH.');

/** Longer than a busy machine keeps a process waiting, so that only a Redis that is gone or frozen counts as one. */
const ANSWER_MS = 3_000;

const WARNING = /Redis does not answer/;
const AGAIN = /shared through Redis again/;

const logged = (service: TestService, what: RegExp) =>
  service.logLines
    .map((line) => JSON.parse(line) as { level: number; msg: string })
    .filter(({ msg }) => what.test(msg));

/** What remains of a limit of 60 after a request to this node. */
async function left(service: TestService, ip: string): Promise<number> {
  return Number((await service.click({}, { ip })).headers['x-ratelimit-remaining']);
}

/** Sends requests until the nodes count together. */
async function untilShared(...nodes: TestService[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const ip = newAddress();
      const counts = [];
      for (const node of nodes) counts.push(await left(node, ip));
      expect(counts).toEqual(nodes.map((_, index) => 59 - index));
    },
    { timeout: AS_LONG_AS_A_TEST_MS, interval: 50 },
  );
}

describe.skipIf(missing)(`rate windows in Redis${missing ? ' (skipped: no redis-server on the PATH)' : ''}`, () => {
  const [one, other] = [new TestService(), new TestService()];
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await createRedis();
    await redis.start();
    const env = { DATABASE_URL: await newPostgres(), REDIS_URL: redis.url, SVC_RATE_LIMITS: '' };
    await one.open(env, { redisAnswerMs: ANSWER_MS });
    await other.open(env, { redisAnswerMs: ANSWER_MS });
    await untilShared(one, other);
  });
  afterAll(async () => {
    await one.service?.close();
    await other.service?.close();
    redis.resume();
    await redis.kill();
  });

  it('are shared by all nodes: the limit applies to both together', async () => {
    const ip = newAddress();
    for (let sent = 0; sent < 30; sent += 1) {
      expect(await left(one, ip)).toBe(59 - 2 * sent);
      expect(await left(other, ip)).toBe(58 - 2 * sent);
    }
    for (const node of [one, other]) {
      const answer = await node.click({}, { ip });
      expect(answer).toMatchObject({ status: 429, body: { error: { status: 429, code: 'rate_limited' } } });
      const wait = Number(answer.headers['retry-after']);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      expect(answer.body.error.retry_after_seconds).toBe(wait);
      const resetsIn = Number(answer.headers['x-ratelimit-reset']) - node.time.getTime() / 1000;
      expect(resetsIn).toBe(wait);
    }
  });

  it('are shared by key, too', async () => {
    const { apiKey } = await one.program();
    await one.sale({}, { key: apiKey, ip: newAddress() });
    const { headers } = await other.refund({}, { key: apiKey, ip: newAddress() });
    expect(headers['x-ratelimit-remaining']).toBe('118');
  });

  it('continue in the memory of each node when Redis is gone, which is logged once, and are shared again when it is back', async () => {
    one.logLines.length = 0;
    const ip = newAddress();
    await left(other, ip);
    await redis.kill();

    for (let sent = 0; sent < 60; sent += 1) expect(await left(one, ip)).toBe(59 - sent);
    expect(await one.click({}, { ip })).toMatchObject({ status: 429, headers: { 'x-ratelimit-remaining': '0' } });
    expect(await left(other, ip)).toBe(59);
    expect(logged(one, WARNING)).toMatchObject([{ level: 40 }]);
    expect(logged(one, AGAIN)).toEqual([]);

    await redis.start();
    await untilShared(one, other);
    expect(logged(one, WARNING)).toHaveLength(1);
    expect(logged(one, AGAIN)).toMatchObject([{ level: 30 }]);
  });

  it('continue in memory while Redis keeps its connections open but does not answer', async () => {
    one.logLines.length = 0;
    const ip = newAddress();
    redis.freeze();
    try {
      expect(await left(one, ip)).toBe(59);
      expect(await left(one, ip)).toBe(58);
      expect(logged(one, WARNING)).toHaveLength(1);
    } finally {
      redis.resume();
    }
    await untilShared(one, other);
    expect(logged(one, AGAIN)).toHaveLength(1);
  });

  it('log nothing when a node starts while Redis is available', async () => {
    const late = new TestService();
    await late.open(
      { DATABASE_URL: await newPostgres(), REDIS_URL: redis.url, SVC_RATE_LIMITS: '' },
      { redisAnswerMs: ANSWER_MS },
    );
    try {
      await late.click({}, { ip: newAddress() });
      expect(logged(late, WARNING)).toEqual([]);
    } finally {
      await late.service.close();
    }
  });
});
