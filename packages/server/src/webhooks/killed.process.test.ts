import { type FirstProgram, setUp } from '@svc/testkit/service/processes/first-program.ts';
import { post, type RunningService, SECRET, startService } from '@svc/testkit/service/processes/processes.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../db/engines/postgres.ts';
import { dataSecrets } from '../secret.ts';
import { insertEndpoint } from './endpoint-store.ts';

const receiver = useReceiver();
/** Enough to be in the middle of something when a node is killed. The long version of the suite sends more to more. */
const [SALES, RECEIVERS] = process.env.SVC_TEST_LONG ? [40, 6] : [15, 3];
const ENDPOINTS = Array.from({ length: RECEIVERS }, () => ({
  path: `/${newId('hook')}`,
  secret: `whsec_${Buffer.from(newId('a secret that is long enough')).toString('base64')}`,
}));
const [slow] = ENDPOINTS as [(typeof ENDPOINTS)[0]];

let env: Record<string, string>;
let first: FirstProgram;

beforeAll(async () => {
  env = {
    DATABASE_URL: await newPostgres(),
    SVC_SECRET: SECRET,
    SVC_RATE_LIMITS: 'click=1000000,lead=1000000,sale=1000000,feed=1000000',
    SVC_OUTBOUND_ALLOW: '127.0.0.1',
  };
  first = await setUp(env);
});

function openDb() {
  const db = openPostgres(env.DATABASE_URL as string);
  onTestFinished(() => db.close());
  return db;
}

/** Reports sales of one customer in a batch. */
async function sell({ url }: RunningService): Promise<void> {
  const items = Array.from({ length: SALES }, () => ({
    type: 'sale',
    transaction_id: newId('order'),
    customer_key: 'jane',
    amount_cents: 10_000,
  }));
  expect((await post(`${url}/api/v1/track/batch`, { items }, first.api_key)).status).toBe(200);
}

it('each event arrives at each endpoint under its id, with the same bytes, however often nodes are killed', async () => {
  const db = openDb();
  const { encryption } = dataSecrets(SECRET);
  for (const { path, secret } of ENDPOINTS) {
    const endpoint = { url: receiver.url(path), types: ['*' as const], description: null, format: 'json' as const };
    const sealed = { ...endpoint, secretSealed: encryption.seal(secret) };
    await insertEndpoint(db, first.program_id, sealed, ENDPOINTS.length, new Date());
  }
  const [one, two] = [await startService(env), await startService(env)];
  const click = await post(`${one.url}/api/v1/track/click`, {
    affiliate_url: `https://${first.domain}/?aff=${first.short_link}`,
  });
  const lead = { click_id: click.body.click_id, customer_key: 'jane' };
  expect((await post(`${one.url}/api/v1/track/lead`, lead, first.api_key)).status).toBe(200);
  await receiver.until(slow.path, 1);

  /** Kills a node while the slow endpoint has calls that it has not answered. What it held is free after a while. */
  const killInTheMiddle = async (node: RunningService) => {
    const before = receiver.at(slow.path).length;
    const release = receiver.hold(slow.path);
    await sell(node);
    await receiver.until(slow.path, before + 1);
    await node.end('SIGKILL');
    release();
    await db.query(`update webhook_hosts set leased_until = clock_timestamp()`, []);
  };
  await killInTheMiddle(one);
  await killInTheMiddle(two);
  const three = await startService(env);
  await sell(three);
  const unsent = async () => {
    const [row] = await db.query<{ count: number }>(
      `select count(*) from webhook_deliveries where status <> 'delivered'`,
      [],
    );
    return row?.count;
  };
  await expect.poll(unsent).toBe(0);

  const events: { id: string; body: string }[] = [];
  for (let after = 0, hasMore = true; hasMore; ) {
    const headers = { Authorization: `Bearer ${first.api_key}` };
    const page = await (await fetch(`${three.url}/api/v1/events?after=${after}`, { headers })).json();
    for (const event of page.data) events.push({ id: event.id, body: JSON.stringify(event) });
    ({ next_cursor: after, has_more: hasMore } = page.meta);
  }
  // A sale and a commission each, and what came before.
  expect(events.length).toBeGreaterThan(3 * SALES * 2);
  for (const { path, secret } of ENDPOINTS) {
    const bodies = new Map<string, Set<string>>();
    for (const { headers, body } of receiver.at(path)) {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      const id = String(headers['webhook-id']);
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
    }
    for (const { id, body } of events) expect(bodies.get(id)).toEqual(new Set([body]));
  }
  // What the killed nodes were sending has come again.
  expect(receiver.at(slow.path).length).toBeGreaterThan(events.length);
  expect(receiver.connections.most).toBeLessThanOrEqual(8);
  await three.end();
});
