import { describe, expect, it } from 'vitest';
import { currencyExponent, isCurrency } from './currencies.ts';

describe('isCurrency', () => {
  it.each(['USD', 'EUR', 'GBP', 'JPY', 'KWD', 'CHF', 'SVC', 'XAF', 'XCG', 'ZWG', 'UYW'])(
    'is true for the active code %s',
    (code) => {
      expect(isCurrency(code)).toBe(true);
    },
  );

  it.each(['ANG', 'STD'])('is true for %s, in which Stripe still reports payments', (code) => {
    expect([isCurrency(code), currencyExponent(code)]).toEqual([true, 2]);
  });

  it.each([
    ['a code in lower case', 'usd'],
    ['empty text', ''],
    ['two letters', 'US'],
    ['four letters', 'USDT'],
    ['a trailing space', 'USD '],
    ['an unassigned code', 'XYZ'],
    ['a code replaced by the euro', 'DEM'],
    ['a code replaced by another', 'ZWL'],
    ['the code reserved for tests', 'XTS'],
    ['the code for no currency', 'XXX'],
    ['a metal', 'XAU'],
    ['a name that every object inherits', 'constructor'],
  ])('is false for %s', (_case, code) => {
    expect(isCurrency(code)).toBe(false);
  });
});

describe('currencyExponent', () => {
  it.each([
    [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
    [2, 'USD EUR GBP CHF CAD AUD HUF MGA MRU TWD IDR'],
    [3, 'BHD IQD JOD KWD LYD OMR TND'],
    [4, 'CLF UYW'],
  ])('is %i for %s', (exponent, codes) => {
    for (const code of codes.split(' ')) {
      expect([code, isCurrency(code), currencyExponent(code)]).toEqual([code, true, exponent]);
    }
  });
});
