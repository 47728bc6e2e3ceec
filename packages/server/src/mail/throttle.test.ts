import { expect, it } from 'vitest';
import { restAfterMailMs } from './throttle.ts';

it('rests the longer the busier the store is, within bounds', () => {
  expect([0, 0.5, 2, 10, 1_000].map(restAfterMailMs)).toEqual([20, 20, 60, 300, 1_000]);
});
