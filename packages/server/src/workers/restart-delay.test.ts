import { expect, it } from 'vitest';
import { countEarlyEnds, restartDelay } from './restart-delay.ts';

it('starts a worker again at once three times, and later and later if it keeps ending soon', () => {
  const delays: number[] = [];
  let ends = 0;
  for (let time = 0; time < 10; time += 1) {
    ends = countEarlyEnds(ends, 500);
    delays.push(restartDelay(ends));
  }
  expect(delays).toEqual([0, 0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

it('starts a worker that lived for a minute again at once, however often it ended before', () => {
  expect(restartDelay(countEarlyEnds(7, 60_000))).toBe(0);
});
