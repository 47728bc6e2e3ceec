import { expect, it } from 'vitest';
import { CURRENCIES } from './currencies.ts';
import { PAYOUT_KINDS, PAYOUT_REACH, reaches, SEPA_COUNTRIES } from './payout-reach.ts';

it.each([
  ['paypal', 'USD', 'DE', null],
  ['paypal', 'JPY', 'JP', null],
  ['paypal', 'KWD', 'KW', 'currency_not_payable'],
  ['paypal', 'USD', 'PK', 'country_not_payable'],
  ['paypal', 'BRL', 'BR', null],
  ['paypal', 'BRL', 'PT', 'country_not_payable'],
  ['wise', 'INR', 'IN', null],
  ['wise', 'CNY', 'CN', 'currency_not_payable'],
  ['wise', 'USD', 'IR', 'country_not_payable'],
  ['iban', 'EUR', 'RS', null],
  ['iban', 'EUR', 'GI', null],
  ['iban', 'EUR', 'TR', 'country_not_payable'],
  ['iban', 'USD', 'DE', 'currency_not_payable'],
  ['us_bank', 'USD', 'US', null],
  ['us_bank', 'USD', 'PR', null],
  ['us_bank', 'USD', 'CA', 'country_not_payable'],
  ['us_bank', 'EUR', 'US', 'currency_not_payable'],
  ['other', 'KWD', 'KP', null],
] as const)('%s pays %s to %s: %s', (kind, currency, country, problem) => {
  expect(reaches(kind, currency, country)).toBe(problem);
});

it('SEPA has 41 countries and 13 territories with a code of their own, each once', () => {
  expect(new Set(SEPA_COUNTRIES).size).toBe(54);
  expect(SEPA_COUNTRIES).toHaveLength(54);
});

it('every currency that a kind pays is one that amounts can be in', () => {
  const listed = PAYOUT_KINDS.flatMap((kind) => PAYOUT_REACH[kind].currencies ?? []);
  expect(listed.filter((code) => !CURRENCIES.includes(code))).toEqual([]);
});
