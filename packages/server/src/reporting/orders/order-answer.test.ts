import { describe, expect, it } from 'vitest';
import { reasons } from '../../decisions/reasons.ts';
import { answerAbout } from './order-answer.ts';
import type { Order } from './order-store.ts';

const PARTNER = 7;

const order = (reason: keyof typeof reasons, partnerId: number | null, isRecorded = false): Order => ({
  transactionId: 'order_1',
  partnerId,
  amountCents: 4200,
  refundedCents: 0,
  currency: 'USD',
  paidAt: new Date('2026-03-01T00:00:00Z'),
  isRecorded,
  commission: null,
  reason,
  clickAgeDays: 73,
  windowDays: 60,
  hasSignedUp: true,
});

describe('what a partner is told about an order', () => {
  it.each(Object.keys(reasons) as (keyof typeof reasons)[])(
    'speaks of nobody else, and gives no fact about others: %s',
    (reason) => {
      for (const isRecorded of [true, false]) {
        expect(answerAbout(order(reason, PARTNER, isRecorded), PARTNER).sentence).not.toMatch(/partner|another link/i);
        for (const other of [PARTNER + 1, null])
          expect(answerAbout(order(reason, other, isRecorded), PARTNER).order).toBeNull();
      }
    },
  );

  it.each([
    ['partner_blocked', 'This order came through your link while you were blocked in the program.'],
    ['partner_removed', 'This order came through your link after you were removed from the program.'],
    ['membership_missing', 'This order came through your link while you were not in the program.'],
    ['click_after_payment', 'The customer clicked your link only after paying for this order.'],
    [
      'nothing_paid',
      'Nothing was paid for this order, as at the start of a free trial. The first payment is the first sale.',
    ],
    [
      'attribution_window_expired',
      'Your link was clicked 73 days before the customer signed up. The program counts clicks for 60 days.',
    ],
  ] as const)('says why a sale to their own customer was not recorded: %s', (reason, sentence) => {
    expect(answerAbout(order(reason, PARTNER), PARTNER)).toMatchObject({
      sentence,
      order: { transactionId: 'order_1' },
    });
  });
});
