import { expect, it } from 'vitest';
import { restAfterClaimMs } from './pace.ts';

it('rests the longer the busier the store is, within bounds', () => {
  expect([0, 0.5, 2, 10, 1_000].map(restAfterClaimMs)).toEqual([20, 20, 40, 200, 500]);
});
