import { expect, it } from 'vitest';
import { fromFirstCustomers, keptCents } from './cohorts.ts';

it('refunds are taken off in their own currency', () => {
  const money = [
    { currency: 'EUR', revenue_cents: 900, refunded_cents: 100 },
    { currency: 'USD', revenue_cents: 5_000, refunded_cents: 5_000 },
  ];
  expect(['EUR', 'USD', 'JPY'].map((currency) => keptCents({ money }, currency))).toEqual([800, 0, 0]);
});

it('months before the first customers are left out', () => {
  const months = [0, 0, 3, 0].map((customers) => ({ customers }));
  expect(fromFirstCustomers(months)).toEqual([{ customers: 3 }, { customers: 0 }]);
  expect(fromFirstCustomers([{ customers: 0 }])).toEqual([]);
});
