import { eventually } from '@svc/testkit/service/eventually.ts';
import { type Answer, platformError, type TestProgram, TestService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { type Severable, severable } from '@svc/testkit/service/stores/severable.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ANSWERED_WITHIN_MS = 10_000;

const service = new TestService();
let line: Severable;
let on: TestProgram;
let unseen: TestProgram;
let transactionId: string;

beforeAll(async () => {
  line = await severable(await newPostgres());
  await service.open({ DATABASE_URL: line.url });
  [on, unseen] = [await service.program(), await service.program()];
  ({ transactionId } = await sold(service, on));
  await service.customer(on, 'user_1');
});
afterAll(async () => {
  line?.resume();
  await service.service?.close();
  await line?.close();
});

const order = () => ({ transaction_id: newId('order'), customer_key: 'user_1', amount_cents: 1_000 });

/** What is asked of the hung database, with the message of each route. The links and keys of `unseen` are not cached. */
const requests: [message: string, send: () => Promise<Answer>][] = [
  ['Click tracking failed', () => service.click({ affiliate_url: `https://acme.test/?aff=${on.link}` })],
  ['Click tracking failed', () => service.click({ affiliate_url: `https://acme.test/?aff=${unseen.link}` })],
  ['Lead tracking failed', () => service.lead({ customer_key: 'user_1' }, { key: on.apiKey })],
  ['Sale tracking failed', () => service.sale(order(), { key: on.apiKey })],
  ['Sale tracking failed', () => service.sale(order(), { key: unseen.apiKey })],
  ['Refund tracking failed', () => service.refund({ transaction_id: transactionId }, { key: on.apiKey })],
];

async function timed(send: () => Promise<Answer>): Promise<Answer & { tookMs: number }> {
  const from = performance.now();
  const answer = await send();
  return { ...answer, tookMs: performance.now() - from };
}

describe('while the database hangs', () => {
  it('every request is answered within ten seconds: 500 with the route’s message, or 503 while others wait', async () => {
    const before = await service.counts(on.program.id);
    line.hang();
    const early = requests.map(async ([message, send]) => ({ message, answer: await timed(send) }));
    // These wait for the groups that hang; those that wait too long are not sent to the database at all.
    const late: typeof early = [];
    for (let wave = 0; wave < 4; wave += 1) {
      expect((await service.call('GET', '/readyz')).status).toBe(503);
      late.push(...requests.map(async ([message, send]) => ({ message, answer: await timed(send) })));
    }

    const answers = await Promise.all([...early, ...late]);
    for (const { message, answer } of answers) {
      expect(answer.tookMs).toBeLessThan(ANSWERED_WITHIN_MS);
      if (answer.status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      else expect(answer.body).toEqual(platformError(500, 'InternalServerError', message));
    }

    line.resume();
    await eventually(
      () => service.call('GET', '/readyz'),
      ({ status }) => status === 200,
    );
    expect((await service.sale(order(), { key: on.apiKey })).status).toBe(200);
    const after = await service.counts(on.program.id);
    expect(after.sales).toBeGreaterThan(before.sales ?? 0);
  });

  it('work that may take long has no limit', async () => {
    const { db } = service.ctx;
    const slow = 'select pg_sleep(0.3), current_setting($1) as limit';
    const [timedRow, untimedRow] = [
      await db.query<{ limit: string }>(slow, ['statement_timeout']),
      await db.untimed.query<{ limit: string }>(slow, ['statement_timeout']),
    ];
    expect([timedRow[0]?.limit, untimedRow[0]?.limit]).toEqual(['5500ms', '0']);
  });
});
