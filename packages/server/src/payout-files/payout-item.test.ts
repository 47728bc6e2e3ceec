import { expect, it } from 'vitest';
import { endToEndIdOf, messageIdOf, payoutIdOf, readMessageId } from './payout-item.ts';

it('ids of payouts and messages are read back, and those of others are not', () => {
  expect(endToEndIdOf(1045)).toBe('P1045');
  expect(['P1045', 'P0', 'P01', 'p1', 'P1x', '1045', `P${'9'.repeat(15)}`].map(payoutIdOf)).toEqual([
    1045,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
  expect(messageIdOf(12, { endToEndId: 'P1045' })).toBe('R12-P1045');
  expect(readMessageId('R12-P1045')).toEqual({ runNumber: 12, firstEndToEndId: 'P1045' });
  expect(['R12', 'X12-P1', 'R12-1', ''].map(readMessageId)).toEqual([null, null, null, null]);
});

it('the longest ids fit into the formats', () => {
  expect(endToEndIdOf(99_999_999_999_999)).toHaveLength(15);
  expect(messageIdOf(999_999_999_999_999, { endToEndId: endToEndIdOf(99_999_999_999_999) }).length).toBeLessThan(36);
});
