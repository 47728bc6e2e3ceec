import { TestService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFeedReaders } from './feed-readers.ts';

const READERS = 500;

const service = new TestService();
let isClosed = false;
beforeAll(() => service.open());
afterAll(async () => {
  if (!isClosed) await service.service.close();
});

it('reads once for all who ask for the same, and never gives them what was read before they asked', async () => {
  const readers = await openFeedReaders(service.ctx.db);
  const started: (() => void)[] = [];
  const ask = () =>
    readers.share('the same', async () => {
      const number = started.length;
      await new Promise<void>((resolve) => started.push(resolve));
      return number;
    });
  const first = [ask(), ask()];
  await expect.poll(() => started.length).toBe(1);
  const second = [ask(), ask()];
  started[0]!();
  expect(await Promise.all(first)).toEqual([0, 0]);
  await expect.poll(() => started.length).toBe(2);
  started[1]!();
  expect(await Promise.all(second)).toEqual([1, 1]);
  const failing = [1, 2].map(() => readers.share('failing', () => Promise.reject(new Error('No connection'))));
  for (const one of failing) await expect(one).rejects.toThrow('No connection');
  expect(await readers.share('failing', async () => 'fine')).toBe('fine');
  readers.close();
});

const read = (key: string, after: number) => service.call('GET', `/api/v1/events?after=${after}&wait=30`, { key });

it('wakes five hundred waiting readers with one event, and none of another program', async () => {
  const [made, other] = [await service.program(), await service.program()];
  const { body } = await read(made.apiKey, 0);
  const place = body.meta.next_cursor;
  const otherPlace = (await read(other.apiKey, 0)).body.meta.next_cursor;
  let othersWoken = 0;
  const elsewhere = read(other.apiKey, otherPlace).then((answer) => {
    othersWoken += 1;
    return answer;
  });
  const waiting = Array.from({ length: READERS }, () => read(made.apiKey, place));
  await sold(service, made);
  const answers = await Promise.all(waiting);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  for (const { body: page } of answers)
    expect(page.data[0]).toMatchObject({ type: 'lead.created', sequence: place + 1 });
  expect(othersWoken).toBe(0);

  // A service that stops answers those who still wait.
  const closing = service.service.close();
  isClosed = true;
  const { status, body: last } = await elsewhere;
  expect([status, last]).toEqual([200, { data: [], meta: { next_cursor: otherPlace, has_more: false } }]);
  await closing;
});
