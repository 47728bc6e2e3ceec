import { expect, it } from 'vitest';
import { describeLineTerms } from './name-terms.ts';

it.each([
  [{ terms_version: 7, rule: 2, terms: '20% of each sale' }, 'Rule 2 of version 7: 20% of each sale'],
  [{ terms_version: 7, rule: null, terms: null }, 'Version 7'],
  [{ terms_version: null, rule: null, terms: null }, null],
])('a line of a payout with %o was paid for: %s', (line, said) => {
  expect(describeLineTerms(line)).toBe(said);
});
