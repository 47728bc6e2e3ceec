import { TestService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

const READERS = 500;

const service = new TestService();
let isClosed = false;
beforeAll(() => service.open());
afterAll(async () => {
  if (!isClosed) await service.service.close();
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
