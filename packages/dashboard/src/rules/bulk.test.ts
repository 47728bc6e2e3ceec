import { expect, it } from 'vitest';
import { addResults, describeResult } from './bulk.ts';

it('adds up results by reason, and says what was done and what was skipped', () => {
  const first = { changed: 200, skipped: [{ reason: 'paid', count: 2 }] };
  const second = {
    changed: 1_004,
    skipped: [
      { reason: 'paid', count: 1 },
      { reason: 'in_payout', count: 4 },
    ],
  };
  const result = addResults(first, second);
  expect(describeResult(result, 'commissions', 'approved')).toBe(
    '1,204 commissions approved. 7 skipped: 3 already paid, 4 in a payout.',
  );
  expect(describeResult({ changed: 1, skipped: [] }, 'payouts', 'marked as paid')).toBe('1 payout marked as paid');
});
