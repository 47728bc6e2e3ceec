import { expect, it } from 'vitest';
import { disputeReason } from './dispute.ts';

type Case = [
  what: string,
  before: number,
  amount: number,
  after: number,
  isOpen: boolean,
  lost: string[],
  string | null,
];

it.each<Case>([
  ['a new dispute', 0, 500, 500, true, [], 'payment_disputed'],
  ['a dispute of money that the shop had refunded', 0, 0, 500, true, [], 'payment_disputed'],
  ['a dispute that was lost before it was known', 0, 500, 500, false, ['dp_1'], 'dispute_lost'],
  ['a dispute that is lost', 500, 0, 500, false, ['dp_1'], 'dispute_lost'],
  ['a dispute that is won', 500, -500, 0, false, [], 'dispute_won'],
  ['a dispute that is won, of which the shop refunded a part', 500, -300, 0, false, [], 'dispute_won'],
  ['a refund', 0, 500, 0, false, [], null],
  ['a refund beside an open dispute', 500, 300, 500, true, [], null],
  ['a refund and a dispute at once', 0, 800, 500, true, [], null],
  ['a failed refund beside an open dispute', 500, -300, 500, true, [], null],
  ['nothing', 0, 0, 0, false, [], null],
])('%s', (_what, before, amount, disputedCents, hasOpenDispute, lostDisputes, reason) => {
  const total = { disputedCents, hasOpenDispute, lostDisputes };
  expect(disputeReason({ disputedCents: before }, amount, total)).toBe(reason);
});
