import { describe, expect, it } from 'vitest';
import { findCurrencies, labelOfCurrency } from './currencies.ts';

describe('currencies', () => {
  it('are found by code or name, common ones and matching codes first', () => {
    expect(findCurrencies('')[0]).toBe('USD');
    expect(findCurrencies('').length).toBeGreaterThan(150);
    expect(findCurrencies('dol').slice(0, 3)).toEqual(['USD', 'CAD', 'AUD']);
    expect(findCurrencies('gb')[0]).toBe('GBP');
    expect(findCurrencies('ZWL nothing')).toEqual([]);
  });

  it('have their name beside the code', () => {
    expect(labelOfCurrency('EUR')).toBe('EUR, Euro');
    expect(labelOfCurrency('XXQ')).toBe('XXQ');
  });
});
