import { describe, expect, it } from 'vitest';
import { countriesInWords, currenciesInWords, reachInFull } from './payout-kinds.ts';

describe('what a kind of payout reaches', () => {
  it.each([
    ['paypal', '24 currencies, such as USD, EUR, and GBP', 'most countries'],
    ['iban', 'EUR only', 'Europe: the SEPA area'],
    ['us_bank', 'USD only', 'United States and its territories'],
    ['other', 'Any currency', 'any country'],
  ] as const)('in a few words: %s', (kind, currencies, countries) => {
    expect([currenciesInWords(kind), countriesInWords(kind)]).toEqual([currencies, countries]);
  });

  it('in full: every currency and country', () => {
    expect(reachInFull('us_bank')).toEqual({
      currencies: 'USD',
      countries: 'American Samoa, Guam, Northern Mariana Islands, Puerto Rico, U.S. Virgin Islands, United States',
    });
    expect(reachInFull('paypal')?.currencies).toMatch(/^AUD, BRL, .*, USD; BRL only in Brazil; MYR only in Malaysia$/);
    expect(reachInFull('paypal')?.countries).toMatch(/^All countries but Afghanistan, /);
    expect(reachInFull('iban')?.countries).toContain('Germany');
    expect(reachInFull('other')).toBeNull();
  });
});
