import { newAccount } from '@svc/testkit/service/accounts.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { whileRefused } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { purgeIdempotencyKeys } from '../jobs/purge-idempotency-keys.ts';
import { runJob } from '../jobs/run-jobs.ts';

// Four requests a minute and program, so 4 × 60 × 24 KiB of answers a day: 5,898,240 bytes.
const service = useService({ SVC_RATE_LIMITS: 'sale=4,click=1000000,lead=1000000,manage=1000000,cli=1000000' });
const BYTES_A_DAY = 5_898_240;

const MESSAGE =
  'No more answers to requests with an Idempotency-Key can be kept today. Nothing was done. Send the request without the ' +
  'header, or again after midnight UTC.';

/** A request of 13 kB with an answer of 150 kB. */
const ITEMS = { items: Array.from({ length: 1000 }, () => ({ type: 'x' })) };

const batch = ({ apiKey }: TestProgram, key: string) =>
  service.call('POST', '/api/v1/track/batch', { body: ITEMS, key: apiKey, headers: { 'idempotency-key': key } });

/** Sends batches, four at a time and then one by one, until one is refused that is alone. Returns how many were answered. */
async function fill(made: TestProgram): Promise<number> {
  let answered = 0;
  for (let minute = 0, atOnce = 4; minute < 30; minute += 1) {
    service.advance({ seconds: 60 });
    const keys = Array.from({ length: atOnce }, (_, index) => `fill ${minute * 4 + index}`);
    const answers = await Promise.all(keys.map((key) => batch(made, key)));
    const kept = answers.filter(({ status }) => status === 200).length;
    answered += kept;
    if (kept === 0) return answered;
    if (kept < atOnce) atOnce = 1;
  }
  throw new Error('No request was refused');
}

const keptBytes = async () => {
  const [row] = await service.sql<{ bytes: number }>(
    'select coalesce(sum(length(answer_sealed)), 0)::int as bytes from idempotency_keys',
  );
  return row?.bytes ?? 0;
};

describe('answers that are kept for a program', () => {
  it('take a bounded amount of space a day, after which the header is refused and nothing is done', async () => {
    const made = await service.program();
    const kept = await fill(made);
    expect(kept).toBeGreaterThan(20);
    const bytes = await keptBytes();
    expect(bytes).toBeLessThanOrEqual(BYTES_A_DAY);

    service.advance({ seconds: 60 });
    const customer = newId('user');
    await service.customer(made, customer);
    const before = await service.counts(made.program.id);
    const refused = await batch(made, 'one more');
    const secondsToMidnight = Number(refused.headers['retry-after']);
    expect(secondsToMidnight).toBeGreaterThan(0);
    expect(secondsToMidnight).toBeLessThanOrEqual(86_400);
    expect([refused.status, refused.body.error]).toEqual([
      429,
      { status: 429, code: 'rate_limited', message: MESSAGE, retry_after_seconds: secondsToMidnight },
    ]);
    expect(await service.counts(made.program.id)).toEqual(before);
    expect(await keptBytes()).toBe(bytes);

    // What was kept is still repeated, and requests without the header are not concerned.
    expect((await batch(made, 'fill 0')).headers['idempotent-replayed']).toBe('true');
    const sale = { transaction_id: newId('order'), customer_key: customer, amount_cents: 100 };
    expect((await service.sale(sale, { key: made.apiKey })).status).toBe(200);
  });

  it('are counted for each program by itself, and for each day', async () => {
    const [made, other] = [await service.program(), await service.program()];
    await fill(made);
    service.advance({ seconds: 60 });
    expect((await batch(made, 'k')).status).toBe(429);
    expect((await batch(other, 'k')).status).toBe(200);
    await service.sql(`update kept_answer_days set day = day - 1`);
    expect((await batch(made, 'k')).status).toBe(200);
    // Only the day that still counts stays.
    await runJob(service.ctx, purgeIdempotencyKeys);
    expect(await service.sql('select owner from kept_answer_days')).toEqual([{ owner: `program ${made.program.id}` }]);
  });

  it('count as large as they are, and not at all if the request has to be sent again', async () => {
    const made = await service.program();
    const counted = async () => {
      const rows = await service.sql<{ bytes: number }>('select bytes from kept_answer_days where owner = $1', [
        `program ${made.program.id}`,
      ]);
      return rows[0]?.bytes ?? 0;
    };
    const before = await keptBytes();
    for (let time = 0; time < 2; time += 1) {
      expect((await batch(made, 'k')).status).toBe(200);
      expect(await counted()).toBe((await keptBytes()) - before);
    }
    const sale = { transaction_id: newId('order'), customer_key: newId('user'), amount_cents: 100 };
    await service.customer(made, sale.customer_key);
    const failed = await whileRefused(service, 'sales', () =>
      service.sale(sale, { key: made.apiKey, headers: { 'idempotency-key': 'sale' } }),
    );
    expect(failed.status).toBe(500);
    expect(await counted()).toBe((await keptBytes()) - before);
  });

  it('of an account count for the account, whatever program it names', async () => {
    const made = await service.program();
    const stranger = await newAccount(service);
    const path = `/api/v1/manage/programs/${made.program.id}/links`;
    const { status } = await service.call('POST', path, {
      ...{ body: {}, key: stranger.token, headers: { 'idempotency-key': 'k' } },
    });
    expect(status).toBe(404);
    const owners = await service.sql('select owner from kept_answer_days where owner in ($1, $2)', [
      `program ${made.program.id}`,
      `account ${stranger.userId}`,
    ]);
    expect(owners).toEqual([{ owner: `account ${stranger.userId}` }]);
  });
});
