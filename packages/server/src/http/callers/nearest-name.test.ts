import { expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const KNOWN = ['limit', 'cursor', 'sort', 'totals', 'status', 'partner_id', 'from', 'to', 'q', 'transaction_id'];

it.each([
  ['sttaus', 'status'],
  ['Status', 'status'],
  ['staus', 'status'],
  ['statuss', 'status'],
  ['partnerid', 'partner_id'],
  ['partnerId', 'partner_id'],
  ['transactionid', 'transaction_id'],
  ['total', 'totals'],
  ['form', 'from'],
  ['t', 'to'],
  ['expand', null],
  ['fields', null],
  ['__proto__', null],
  ['a'.repeat(100_000), null],
  ['', null],
])('%s: %s', (name, meant) => {
  expect(nearestName(name, KNOWN)).toBe(meant);
});

it('there is none where nothing is known', () => {
  expect(nearestName('status', [])).toBeNull();
});
