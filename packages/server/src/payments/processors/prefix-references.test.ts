import { expect, it } from 'vitest';
import { readCustomEvent } from './custom/read-event.ts';
import { prefixReferences } from './prefix-references.ts';

const payment = {
  type: 'payment',
  at: '2026-03-01T10:00:00Z',
  transaction_id: 'order-1',
  amount_cents: 5_000,
  subscription: { id: 'sub-1', stage: 'start' },
  payer: { customer_id: 'c-1' },
  coupon_code: 'BEN20',
};

it('marks customers, subscriptions and discounts, and no payments, codes or sales', () => {
  const fact = readCustomEvent(payment);
  expect(prefixReferences({ ...fact, discountIds: ['dsc-1'] } as typeof fact, 'x:')).toMatchObject({
    transactionId: 'order-1',
    subscriptionId: 'sub-1',
    couponCodes: ['BEN20'],
    discountIds: ['x:dsc-1'],
    evidence: { references: ['x:customer:c-1', 'x:subscription:sub-1'] },
  });
  const code = { kind: 'promotion_code', reference: 'dsc-1', code: 'BEN20' } as const;
  expect(prefixReferences(code, 'x:')).toEqual({ ...code, reference: 'x:dsc-1' });
});

it('changes nothing without a prefix', () => {
  const fact = readCustomEvent(payment);
  expect(prefixReferences(fact, '')).toEqual(fact);
});
