import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { type FirstProgram, setUp } from '@svc/testkit/service/processes/first-program.ts';
import { type Installation, installations } from '@svc/testkit/service/processes/installations.ts';
import { post, type RunningService, SECRET, startService } from '@svc/testkit/service/processes/processes.ts';
import { severable } from '@svc/testkit/service/stores/severable.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Db } from './db/db.ts';

const CLICK = '/api/v1/track/click';
const WORKERS = 16;

/** Sends clicks without a pause until the service stops answering; `acknowledged` collects their ids. */
function load(service: RunningService, { short_link: link }: FirstProgram) {
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  const enough = { count: Number.POSITIVE_INFINITY, reached: () => {} };
  const worker = async () => {
    for (;;) {
      const answer = await post(`${service.url}${CLICK}`, { affiliate_url: `https://acme.test/?aff=${link}` }).catch(
        () => null,
      );
      if (answer) statuses.add(answer.status);
      if (answer?.status !== 200) return;
      acknowledged.push(answer.body.click_id);
      if (acknowledged.length >= enough.count) enough.reached();
    }
  };
  const ended = Promise.all(Array.from({ length: WORKERS }, worker));
  return {
    acknowledged,
    statuses,
    ended,
    untilAcknowledged: (count: number) =>
      new Promise<void>((resolve) => {
        enough.reached = resolve;
        enough.count = count;
      }),
  };
}

/** The click ids that are not in the store. */
async function missing(db: Db, clickIds: string[]): Promise<string[]> {
  try {
    const rows = await db.query<{ id: number; at: Date }>('select id, clicked_at as at from customers', []);
    const stored = new Set(rows.map(({ id, at }) => `cust_${id}_${at.getTime()}`));
    return clickIds.filter((id) => !stored.has(id));
  } finally {
    await db.close();
  }
}

/** Starts a click whose headers the service has read; the returned function sends its body and returns the response. */
async function halfSent(service: RunningService, { short_link: link }: FirstProgram) {
  const body = JSON.stringify({ affiliate_url: `https://acme.test/?aff=${link}` });
  const request = httpRequest(`${service.url}${CLICK}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), expect: '100-continue' },
  });
  request.flushHeaders();
  await once(request, 'continue');
  return async () => {
    request.end(body);
    const [response] = await once(request, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const { click_id: clickId } = JSON.parse(Buffer.concat(chunks).toString()) as { click_id: string };
    return { status: response.statusCode, connection: response.headers.connection, clickId };
  };
}

/** Sends the first bytes of a request; the returned function sends the rest and returns the response. */
async function barelyBegun(service: RunningService) {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  await once(socket, 'connect');
  socket.write('POST ');
  // Once the service has answered on another connection, it has accepted this one too.
  await fetch(`${service.url}/healthz`);
  return async () => {
    socket.write(`${CLICK} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
    await once(socket, 'close');
    return received;
  };
}

/** The embedded store in one process is killed by other tests too. */
const stores = process.env.SVC_TEST_LONG ? installations : installations.slice(-1);

describe.each(stores)('on %s', (_name, install) => {
  let installation: Installation;
  let killed: RunningService;
  let first: FirstProgram;
  beforeAll(async () => {
    installation = await install();
    killed = await startService(installation.env);
    first = await setUp(installation.env);
  });

  let beforeTheKill: string[];

  it('returns no 500 when it is killed under load', async () => {
    const clicks = load(killed, first);
    await clicks.untilAcknowledged(200);
    await killed.end('SIGKILL');
    await clicks.ended;
    expect([...clicks.statuses]).toEqual([200]);
    beforeTheKill = clicks.acknowledged;
  });

  it('under load, answers requests in flight on SIGTERM, refuses new ones, exits with 0, and has lost no acknowledged click', async () => {
    const service = await startService(installation.env);
    const lead = { click_id: beforeTheKill.at(-1), customer_key: 'the last one' };
    expect(await post(`${service.url}/api/v1/track/lead`, lead, first.api_key)).toMatchObject({ status: 200 });
    const clicks = load(service, first);
    await clicks.untilAcknowledged(200);
    const halves = await Promise.all(Array.from({ length: WORKERS }, () => halfSent(service, first)));
    const sendRest = await barelyBegun(service);
    service.child.kill('SIGTERM');
    await service.untilPrinted('Stopping');
    const refusal = await sendRest();
    const answers = await Promise.all(halves.map((send) => send()));
    // Each response closes its connection, so that none keeps the process running.
    const finished = { status: 200, connection: 'close', clickId: expect.any(String) };
    expect(answers).toEqual(answers.map(() => finished));
    expect((await service.untilEnded()).code).toBe(0);
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
    await clicks.ended;
    expect([200, 503]).toEqual(expect.arrayContaining([...clicks.statuses]));
    const inFlight = answers.map(({ clickId }) => clickId);
    const acknowledged = [...beforeTheKill, ...clicks.acknowledged, ...inFlight];
    expect(await missing(await installation.open(), acknowledged)).toEqual([]);

    expect(refusal).toMatch(/^HTTP\/1.1 503 /);
    expect(refusal).toMatch(/^connection: close\r$/im);
    expect(refusal).toMatch(/^x-request-id: \S+\r$/im);
    expect(JSON.parse(refusal.slice(refusal.indexOf('\r\n\r\n')))).toEqual({
      data: null,
      error: { status: 503, name: 'ServiceUnavailableError', message: expect.stringMatching(/./), details: {} },
    });
  });
});

it('ends within 25 seconds of SIGTERM while the database hangs and requests wait for it', async () => {
  const line = await severable(await newPostgres());
  onTestFinished(() => line.close());
  const env = { DATABASE_URL: line.url, SVC_SECRET: SECRET };
  const first = await setUp(env);
  const service = await startService(env);
  const answered = load(service, first);
  await answered.untilAcknowledged(20);
  line.hang();
  const from = performance.now();
  service.child.kill('SIGTERM');
  await service.untilEnded();
  expect(performance.now() - from).toBeLessThan(25_000);
  await answered.ended;
});
