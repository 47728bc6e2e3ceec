import { expect, it } from 'vitest';
import { describeReason } from './reasons.ts';

it.each([
  ['AC04', 'The bank says that the account is closed.', 'Add another payout method.'],
  ['ac01', 'The bank says that the account number is wrong.', 'Check your payout method and correct it.'],
  [
    'R03',
    'The bank says that there is no such account, or it has another holder.',
    'Check your payout method and correct it.',
  ],
  ['3148', 'PayPal says that it cannot pay accounts in your country.', 'Add another payout method.'],
])('%s: %s %s', (code, says, todo) => {
  expect(describeReason(code)).toEqual({ says, todo });
});

// The codes that banks and PayPal use most.
const COMMON = `AC01 AC03 AC04 AC06 AG01 AM05 AM09 BE04 FF01 MD07 MS02 MS03 RC01 RR04 CNOR ARDT
  R01 R02 R03 R04 R08 R10 R12 R13 R14 R16 R17 R20 R23 R24 R29 14765 3148 8330 9302 3015 1002`;

it.each(COMMON.split(/\s+/))('%s has words, and says what to do', (code) => {
  const { says, todo } = describeReason(code) ?? { says: '', todo: '' };
  expect(says).toMatch(/^(The bank|PayPal) says that .+\.$/);
  expect(todo).toMatch(/^[A-Z].+\.$/);
});

it.each(['', 'XX99', 'constructor', '__proto__'])('%j has none', (code) => {
  expect(describeReason(code)).toBeNull();
});
