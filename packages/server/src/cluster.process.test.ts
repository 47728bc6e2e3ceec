import { setTimeout as sleep } from 'node:timers/promises';
import { createRedis, findRedis, freePort, type PostgresServer, type RedisServer, startPostgres } from '@svc/testkit';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { type Balancer, startBalancer } from '@svc/testkit/service/processes/balancer.ts';
import {
  post,
  type RunningService,
  SECRET,
  startService,
  temporaryFolder,
} from '@svc/testkit/service/processes/processes.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseClickId } from './customers/click-id.ts';
import type { Db } from './db/db.ts';
import { openPostgres } from './db/engines/postgres.ts';

const missing = findRedis() === undefined;
if (missing) console.warn('Skipped: neither redis-server nor valkey-server is on the PATH.');

const NODES = 3;
const WORKERS = 12;
/** Short enough to always have requests in flight, and long enough to leave time for what is tested meanwhile. */
const PAUSE_MS = 250;

/** Sends clicks through the balancer until it is ended. */
class Load {
  readonly acknowledged: string[] = [];
  readonly failures: string[] = [];
  #isOver = false;
  readonly #workers: Promise<void>[];

  constructor(url: string, link: string) {
    const body = { affiliate_url: `https://acme.test/?aff=${link}` };
    this.#workers = Array.from({ length: WORKERS }, async () => {
      while (!this.#isOver) {
        const answer = await post(`${url}/api/v1/track/click`, body).catch((error: Error) => ({
          status: `no answer: ${error.message}`,
          body: null,
        }));
        if (answer.status === 200) this.acknowledged.push(answer.body.click_id);
        else this.failures.push(answer.status === 502 ? `502: ${answer.body.error}` : String(answer.status));
        await sleep(PAUSE_MS);
      }
    });
  }

  /** Waits until `count` more clicks have been acknowledged. */
  async untilMore(count: number): Promise<void> {
    const wanted = this.acknowledged.length + count;
    while (this.acknowledged.length < wanted) await sleep(20);
  }

  async untilOneFailed(): Promise<void> {
    while (this.failures.length === 0) await sleep(20);
  }

  async end(): Promise<this> {
    this.#isOver = true;
    await Promise.all(this.#workers);
    return this;
  }
}

describe.skipIf(missing)(`three nodes under load${missing ? ' (skipped: no redis-server on the PATH)' : ''}`, () => {
  const nodes: RunningService[] = [];
  const acknowledged: string[] = [];
  const figures: string[] = [];
  let postgres: PostgresServer;
  let redis: RedisServer;
  let balancer: Balancer;
  let db: Db;
  let env: Record<string, string>;
  let cookie: string;
  let programId: number;
  let apiKey: string;
  let link: { id: number; short_link: string };

  beforeAll(async () => {
    postgres = await startPostgres();
    redis = await createRedis();
    await redis.start();
    const ports = await Promise.all(Array.from({ length: NODES }, () => freePort()));
    env = {
      DATABASE_URL: postgres.url(),
      REDIS_URL: redis.url,
      SVC_SECRET: SECRET,
      SVC_RATE_LIMITS: 'click=100000000',
      SVC_TRUSTED_PROXIES: '127.0.0.1',
      SVC_BASE_URL: 'http://127.0.0.1:1',
      // Longer than the balancer keeps an idle connection.
      SVC_DRAIN_SECONDS: '3',
    };
    for (const port of ports) nodes.push(await startService({ ...env, PORT: String(port) }));
    balancer = await startBalancer(ports, await temporaryFolder());
    db = openPostgres(postgres.url());
    await signUp();
  }, 180_000);

  afterAll(async () => {
    console.log([`Balancer: ${balancer?.name}`, ...figures].join('\n'));
    for (const node of nodes) await node.end('SIGKILL');
    await balancer?.close();
    await db?.close();
    await redis?.kill();
    await postgres?.remove();
  });

  const node = (index: number) => nodes[index] as RunningService;

  async function manage(method: string, path: string, body?: object) {
    const response = await fetch(`${node(0).url}${path}`, {
      method,
      headers: { cookie, origin: env.SVC_BASE_URL as string, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  }

  async function signUp() {
    const account = { name: 'Olive', email: 'olive@brand.test', password: 'a long enough password' };
    cookie = '';
    const { headers } = await manage('POST', '/api/auth/sign-up/email', account);
    cookie = headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    const made = await manage('POST', '/api/v1/manage/programs', { name: 'Acme', domain: 'acme.test' });
    programId = made.body.data.id;
    apiKey = made.body.data.api_key;
    const under = `/api/v1/manage/programs/${programId}`;
    const partner = await manage('POST', `${under}/partners`, { name: 'Jane', email: 'jane@partner.test' });
    const created = await manage('POST', `${under}/links`, { partner_id: partner.body.data.id });
    link = created.body.data;
  }

  async function underLoad(work: (load: Load) => Promise<void>): Promise<Load> {
    const load = new Load(balancer.url, link.short_link);
    await load.untilMore(30);
    try {
      await work(load);
      await load.untilMore(30);
    } finally {
      await load.end();
      acknowledged.push(...load.acknowledged);
    }
    return load;
  }

  const readinessOf = (url: string, key: string) =>
    fetch(`${url}/api/v1/programs/me/readiness`, { headers: { authorization: `Bearer ${key}` } });

  /** The time until every node answers a request with the status. */
  async function untilAll(status: number, ask: (url: string) => Promise<{ status: number }>): Promise<number> {
    const from = performance.now();
    for (const { url } of nodes) {
      const answer = await eventually(
        () => ask(url),
        (each) => each.status === status,
      );
      expect(answer.status).toBe(status);
    }
    return performance.now() - from;
  }

  const follow = (url: string) =>
    post(`${url}/api/v1/track/click`, { affiliate_url: `https://acme.test/?aff=${link.short_link}` });

  it('share one rate window', async () => {
    const statuses: number[] = [];
    // One after another: a node that waits too long for Redis, as in a burst on a busy machine, would count on its own.
    while (statuses.length < 45) statuses.push((await readinessOf(balancer.url, apiKey)).status);
    expect(statuses).toEqual([...Array(30).fill(200), ...Array(15).fill(429)]);
  });

  it('all refuse a link that is disabled on one of them, and accept it once it is enabled again', async () => {
    const path = `/api/v1/manage/programs/${programId}/links/${link.id}`;
    const load = new Load(balancer.url, link.short_link);
    await load.untilMore(30);
    await manage('PATCH', path, { active: false });
    const took = await untilAll(410, follow);
    await load.untilOneFailed();
    await load.end();
    acknowledged.push(...load.acknowledged);
    await manage('PATCH', path, { active: true });
    await untilAll(200, follow);
    expect([...new Set(load.failures)]).toEqual(['410']);
    figures.push(`A link disabled on one node was refused by all ${Math.round(took)} ms later.`);
  });

  it('all refuse a key that is replaced on one of them', async () => {
    const load = await underLoad(async () => {
      const { body } = await manage('POST', `/api/v1/manage/programs/${programId}/api-key/regenerate`);
      const took = await untilAll(401, (url) => readinessOf(url, apiKey));
      apiKey = body.data.api_key;
      figures.push(`A key replaced on one node was refused by all ${Math.round(took)} ms later.`);
    });
    expect(load.failures).toEqual([]);
  });

  it('lose nothing acknowledged and fail only requests in flight when one of them is killed', async () => {
    const load = await underLoad(async () => {
      await node(1).end('SIGKILL');
    });
    figures.push(`kill -9 of one node: ${load.failures.length} of ${load.acknowledged.length} requests failed.`);
    expect(load.failures.length).toBeLessThanOrEqual(WORKERS);
    nodes[1] = await startService(node(1).env);
  });

  it('fail no requests while they are restarted one at a time', async () => {
    const load = await underLoad(async (running) => {
      for (let index = 0; index < NODES; index += 1) {
        const { code } = await node(index).end('SIGTERM');
        expect(code).toBe(0);
        nodes[index] = await startService(node(index).env);
        await running.untilMore(60);
      }
    });
    figures.push(`Rolling restart: ${load.failures.length} of ${load.acknowledged.length} requests failed.`);
    expect(load.failures).toEqual([]);
  });

  it('keep working while Redis is down and after it is back', async () => {
    const load = await underLoad(async (running) => {
      await redis.kill();
      await running.untilMore(90);
      await redis.start();
      await running.untilMore(90);
    });
    expect(load.failures).toEqual([]);
  });

  it('recover by themselves after a restart of Postgres', async () => {
    const load = await underLoad(async () => {
      await postgres.stop();
      await postgres.start();
    });
    expect(load.failures.filter((status) => status !== '500' && status !== '503')).toEqual([]);
    expect((await readinessOf(balancer.url, apiKey)).status).toBe(200);
  });

  it('have lost no click and counted none twice, whichever node counted it', async () => {
    const customerIds = acknowledged.map((id) => parseClickId(id)?.customerId);
    expect(new Set(customerIds).size).toBe(acknowledged.length);
    const [found] = await db.query<{ count: number }>(
      'select count(*) as count from customers where program_id = $1 and id = any ($2::bigint[])',
      [programId, customerIds],
    );
    expect(found?.count).toBe(acknowledged.length);
    const twice = 'select customer_id from clicks where program_id = $1 group by 1 having count(*) > 1';
    expect(await db.query(twice, [programId])).toEqual([]);

    const [stored] = await db.query('select count(*) as clicks from clicks where program_id = $1', [programId]);
    const [counted] = await db.query(
      `select sum(clicks)::bigint as clicks from (
         select clicks from click_hours where program_id = $1
         union all
         select clicks from count_deltas where program_id = $1) counted`,
      [programId],
    );
    expect(counted).toEqual(stored);
  });
});
