import { expect, it } from 'vitest';
import { createPace } from './pace.ts';

it('no window of time has more requests than the limit, whenever it begins', async () => {
  let now = 0;
  const wait = (async (ms: number) => {
    now += ms;
  }) as never;
  const turn = createPace({ requests: 5, seconds: 30 }, () => now, wait);
  const times: number[] = [];
  for (let count = 0; count < 40; count += 1) {
    await turn(new AbortController().signal);
    times.push(now);
    now += 700;
  }
  for (const start of times) {
    expect(times.filter((time) => time >= start && time < start + 30_000).length).toBeLessThanOrEqual(5);
  }
  // And it does not wait longer than it has to.
  expect(times.at(-1)).toBeLessThanOrEqual(8 * 30_000);
});
