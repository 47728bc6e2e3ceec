import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Installation, installations } from '../test/installations.ts';
import { type FirstProgram, post, type RunningService, SECRET, setUp, startService } from '../test/processes.ts';
import { newPostgres } from '../test/store.ts';
import type { Db } from './db/db.ts';

const CLICK = '/api/v1/track/click';
const WORKERS = 16;

/** Sends clicks without a pause until the service no longer answers them; `acknowledged` fills up with their ids. */
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

/** Which of the click ids are not in the store. */
async function missing(db: Db, clickIds: string[]): Promise<string[]> {
  try {
    const rows = await db.query<{ id: number; at: Date }>('select id, clicked_at as at from customers', []);
    const stored = new Set(rows.map(({ id, at }) => `cust_${id}_${at.getTime()}`));
    return clickIds.filter((id) => !stored.has(id));
  } finally {
    await db.close();
  }
}

/** A click whose head the service has read; `send` sends its body and gives what was answered. */
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

describe.each(installations)('on %s', (_what, install) => {
  let installation: Installation;
  let first: FirstProgram;
  beforeAll(async () => {
    installation = await install();
    first = await setUp(installation.env);
  });

  it('SIGTERM: requests under way are finished and stored, new ones find nobody, and the exit code is 0', async () => {
    const service = await startService(installation.env);
    const halves = await Promise.all(Array.from({ length: WORKERS }, () => halfSent(service, first)));
    service.child.kill('SIGTERM');
    await service.untilPrinted('Stopping');
    const answers = await Promise.all(halves.map((send) => send()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await service.untilEnded()).code).toBe(0);
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
    const ids = answers.map(({ clickId }) => clickId);
    expect(await missing(await installation.open(), ids)).toEqual([]);
  });

  it('SIGTERM under load: exit code 0, no 500, everything acknowledged is stored', async () => {
    const service = await startService(installation.env);
    const clicks = load(service, first);
    await clicks.untilAcknowledged(200);
    const { code } = await service.end('SIGTERM');
    await clicks.ended;
    expect(code).toBe(0);
    expect([200, 503]).toEqual(expect.arrayContaining([...clicks.statuses]));
    expect(await missing(await installation.open(), clicks.acknowledged)).toEqual([]);
  });

  it('kill -9 under load: after a restart every acknowledged click is there', async () => {
    const service = await startService(installation.env);
    const clicks = load(service, first);
    await clicks.untilAcknowledged(200);
    await service.end('SIGKILL');
    await clicks.ended;
    const again = await startService(installation.env);
    const lead = { click_id: clicks.acknowledged.at(-1), customer_key: 'the last one' };
    expect(await post(`${again.url}/api/v1/track/lead`, lead, first.api_key)).toMatchObject({ status: 200 });
    await again.end();
    expect(await missing(await installation.open(), clicks.acknowledged)).toEqual([]);
  });
});

describe('while it stops', () => {
  it('answers say Connection: close, so that no open connection keeps the process from ending', async () => {
    const env = { DATABASE_URL: await newPostgres(), SVC_SECRET: SECRET };
    const first = await setUp(env);
    const service = await startService(env);
    const send = await halfSent(service, first);
    service.child.kill('SIGTERM');
    await service.untilPrinted('Stopping');
    expect(await send()).toMatchObject({ status: 200, connection: 'close' });
    expect((await service.untilEnded()).code).toBe(0);
  });

  it('a request that comes in over an open connection is answered 503 in the platform envelope, with its request id', async () => {
    const service = await startService({ DATABASE_URL: await newPostgres(), SVC_SECRET: SECRET });
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let refusal = '';
    socket.on('data', (chunk) => {
      refusal += chunk;
    });
    await once(socket, 'connect');
    // Once another connection has been answered the service has taken this one too.
    await fetch(`${service.url}/healthz`);
    service.child.kill('SIGTERM');
    await service.untilPrinted('Stopping');
    socket.write(`POST ${CLICK} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
    await once(socket, 'close');
    expect((await service.untilEnded()).code).toBe(0);

    expect(refusal).toMatch(/^HTTP\/1.1 503 /);
    expect(refusal).toMatch(/^connection: close\r$/im);
    expect(JSON.parse(refusal.slice(refusal.indexOf('\r\n\r\n')))).toEqual({
      data: null,
      error: { status: 503, name: 'ServiceUnavailableError', message: expect.stringMatching(/./), details: {} },
    });
    expect(refusal).toMatch(/^x-request-id: \S+\r$/im);
  });
});
