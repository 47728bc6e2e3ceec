import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exampleEvent } from '@svc/contract';
import { ownedProgram } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { emptyPostgres } from '@svc/testkit/service/stores/store.ts';
import { transform } from 'esbuild';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const service = useService({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
let apiUrl = '';
let folder = '';

beforeAll(async () => {
  await service.service.http.listen({ port: 0, host: '127.0.0.1' });
  apiUrl = `http://127.0.0.1:${(service.service.http.server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'svc-event-examples-'));
  await cp(new URL('../../../../examples/events', import.meta.url), folder, { recursive: true });
  await symlink(fileURLToPath(new URL('../../../../node_modules', import.meta.url)), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Made = Awaited<ReturnType<typeof ownedProgram>>;

/** Leaves three events: `lead.created`, `sale.created` and `commission.created`. */
async function sell(made: Made): Promise<string> {
  const id = newId('order');
  await service.customer(made, `user-${id}`);
  await service.sale({ transaction_id: id, amount_cents: 4_900, customer_key: `user-${id}` }, { key: made.apiKey });
  return id;
}

/** The lines that a program prints, one at a time. */
async function* linesOf(app: ChildProcess): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of app.stdout as AsyncIterable<Buffer>) {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    yield* lines;
  }
}

const environment = (more: Record<string, string>) => ({ PATH: process.env.PATH ?? '', ...more });

/** A script that serves the route handler of a file, which gets a standard Request. */
const SERVED = (module: string) => `
import { createServer } from 'node:http';
import { POST } from './${module}';
const server = createServer(async (incoming, outgoing) => {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method, headers } = incoming;
  const request = new Request('http://localhost' + incoming.url, { method, headers, body: Buffer.concat(chunks) });
  const response = await POST(request);
  outgoing.writeHead(response.status).end();
});
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/hook'));
`;

describe('the examples that receive webhooks', () => {
  it.each(['express.js', 'fastify.js', 'route.ts'])(
    '%s accepts what the service sends, and nothing else',
    async (name) => {
      const file = name.endsWith('.ts') ? await compiled(name) : name;
      // The published library compares with the clock of the machine.
      service.time = new Date();
      const made = await ownedProgram(service);
      // The secret is known only once the endpoint exists, so this one is replaced by the right address.
      const created = { url: 'http://127.0.0.1:9/', types: ['sale.created'] };
      const { body } = await asOwner(service, made, 'POST', '/webhooks', created);
      const { id, secret } = body.data as { id: number; secret: string };
      const env = environment({ PORT: '0', SVC_WEBHOOK_SECRET: secret, STRIPE_SECRET_KEY: 'sk_test_1' });
      const app = spawn(process.execPath, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        const lines = linesOf(app);
        const url = String((await lines.next()).value).replace('localhost', '127.0.0.1');
        await asOwner(service, made, 'PATCH', `/webhooks/${id}`, { url });
        const transactionId = await sell(made);
        expect((await lines.next()).value).toBe(`3: ${transactionId}, 4900`);
        const { body: tested } = await asOwner(service, made, 'POST', `/webhooks/${id}/test`);
        expect(tested.data).toMatchObject({ status: 'delivered', last_status: 204 });
        expect((await lines.next()).value).toBe('This is a test. Nothing has happened.');
        const forged = JSON.stringify(exampleEvent('sale.created'));
        const headers = {
          'content-type': 'application/json',
          'webhook-id': 'evt_1',
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          'webhook-signature': new Webhook(SECRET).sign('evt_1', new Date(), forged),
        };
        expect((await fetch(url, { method: 'POST', headers, body: forged })).status).toBe(400);
      } finally {
        app.kill();
        await once(app, 'close');
      }
    },
  );

  it('credit.js grants the credit at Stripe, under the id of the event', async () => {
    const received: { url: string; key: string; body: string }[] = [];
    const stripe = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      received.push({ url: request.url ?? '', key: String(request.headers['idempotency-key']), body });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"cbtxn_1"}');
    });
    await new Promise<void>((resolve) => stripe.listen(0, '127.0.0.1', resolve));
    const { port } = stripe.address() as AddressInfo;
    const shop = (await readFile(join(folder, 'shop.js'), 'utf8')).replace(
      "new Stripe(process.env.STRIPE_SECRET_KEY ?? '')",
      `new Stripe('sk_test_1', { host: '127.0.0.1', port: ${port}, protocol: 'http' })`,
    );
    expect(shop).toContain(String(port));
    await writeFile(join(folder, 'shop.js'), shop);
    const script = `import { handle } from './handle.js'; await handle(JSON.parse(process.argv[2]));`;
    await writeFile(join(folder, 'grant.js'), script);
    const event = exampleEvent('credit.granted');
    await promisify(execFile)(process.execPath, ['grant.js', JSON.stringify(event)], {
      cwd: folder,
      env: environment({}),
    });
    expect(received).toEqual([
      {
        url: '/v1/customers/cus_user_42/balance_transactions',
        key: event.id,
        body: 'amount=-500&currency=usd&description=Referral%20credit',
      },
    ]);
    stripe.close();
  });

  async function compiled(name: string): Promise<string> {
    const { code } = await transform(await readFile(join(folder, name), 'utf8'), { loader: 'ts' });
    await writeFile(join(folder, 'route.js'), code);
    await writeFile(join(folder, 'served.js'), SERVED('route.js'));
    return 'served.js';
  }
});

describe('load-warehouse.js', () => {
  it('loads every event once, goes on where it stopped, and says when events are gone', async () => {
    const warehouse = await emptyPostgres();
    const db = new pg.Client({ connectionString: warehouse });
    await db.connect();
    const made = await ownedProgram(service);
    const env = environment({ SVC_API_URL: apiUrl, SVC_API_KEY: made.apiKey, WAREHOUSE_URL: warehouse });
    const load = () => promisify(execFile)(process.execPath, ['load-warehouse.js'], { cwd: folder, env });
    const stored = async () =>
      (await db.query('select sequence::int, type from svc_events order by sequence')).rows.map(
        ({ sequence, type }) => [sequence, type],
      );
    const numbered = async (last: number) => {
      for (let after = 0; after < last; ) {
        const answer = await service.call('GET', `/api/v1/events?after=${after}&wait=30`, { key: made.apiKey });
        after = answer.body.meta.next_cursor;
      }
    };

    await sell(made);
    await numbered(4);
    expect((await load()).stdout).toBe('Loaded 4 events, up to 4\n');
    const first = [
      [1, 'partner.joined'],
      [2, 'lead.created'],
      [3, 'sale.created'],
      [4, 'commission.created'],
    ];
    expect(await stored()).toEqual(first);
    await load();
    expect(await stored()).toEqual(first);

    const transactionId = await sell(made);
    await numbered(7);
    // A run that fails before its commit leaves neither events nor a cursor.
    await db.query('alter table svc_cursor add constraint stuck check (sequence < 7)');
    await expect(load()).rejects.toThrow(/stuck/);
    expect(await stored()).toEqual(first);
    await db.query('alter table svc_cursor drop constraint stuck');
    await load();
    expect((await stored()).map(([sequence]) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const { rows: sales } = await db.query(
      `select data->'sale'->>'transaction_id' as id from svc_events where sequence = 6`,
    );
    expect(sales).toEqual([{ id: transactionId }]);
    const proof = /```sql\n(select [\s\S]*?)```/.exec(
      await readFile(new URL('../../../../docs/events.md', import.meta.url), 'utf8'),
    )?.[1];
    expect((await db.query(proof ?? '')).rows).toEqual([{ is_complete: true }]);

    await sell(made);
    await numbered(10);
    await service.sql('delete from feed_events where program_id = $1 and sequence <= 8', [made.program.id]);
    await expect(load()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Events before 9 are no longer kept.'),
    });
    await db.end();
  });
});
