import { expect, it } from 'vitest';
import { describeReason } from '../../../../../server/src/payout-files/reasons.ts';
import { COMMON_CODES } from './run-words.ts';

it('the service has words for every code that is suggested', () => {
  expect(COMMON_CODES.filter(([code]) => describeReason(code) === null)).toEqual([]);
});
