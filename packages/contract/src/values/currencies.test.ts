import { describe, expect, it } from 'vitest';
import { currencyExponent, isCurrency } from './currencies.ts';

describe('isCurrency', () => {
  it.each(['USD', 'EUR', 'GBP', 'JPY', 'KWD', 'CHF', 'SVC', 'XAF', 'XCG', 'ZWG', 'UYW'])(
    '%s is an active code',
    (code) => {
      expect(isCurrency(code)).toBe(true);
    },
  );

  it.each([
    ['lower case', 'usd'],
    ['empty', ''],
    ['two letters', 'US'],
    ['four letters', 'USDT'],
    ['a blank behind', 'USD '],
    ['never given out', 'XYZ'],
    ['withdrawn for the euro', 'DEM'],
    ['withdrawn for another code', 'ZWL'],
    ['reserved for tests', 'XTS'],
    ['no currency', 'XXX'],
    ['a metal', 'XAU'],
    ['what every object inherits', 'constructor'],
  ])('is false for what is no active code: %s', (_what, code) => {
    expect(isCurrency(code)).toBe(false);
  });
});

describe('currencyExponent', () => {
  it.each([
    [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
    [2, 'USD EUR GBP CHF CAD AUD HUF MGA MRU TWD IDR'],
    [3, 'BHD IQD JOD KWD LYD OMR TND'],
    [4, 'CLF UYW'],
  ])('%i decimals: %s', (exponent, codes) => {
    for (const code of codes.split(' ')) {
      expect([code, isCurrency(code), currencyExponent(code)]).toEqual([code, true, exponent]);
    }
  });
});
