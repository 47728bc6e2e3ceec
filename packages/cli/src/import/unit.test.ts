import { describe, expect, it } from 'vitest';
import { knownSale, unitOf } from './unit.ts';

const sample = (saleAmount: number, commission: number, id = 'ch_1') => ({
  ids: [id],
  saleAmount,
  amounts: [commission, saleAmount],
});
const known = (text: string, currency = 'USD') => knownSale(text, currency);

describe('the unit of a tool that does not name it', () => {
  it('is that of the known sale', () => {
    expect(unitOf('Tool', [sample(49, 10)], 'USD', known('ch_1=49.00'))).toBe('whole');
    expect(unitOf('Tool', [sample(4900, 980)], 'USD', known('ch_1=49'))).toBe('smallest');
    expect(unitOf('Tool', [sample(49.5, 9.9)], 'USD', known('ch_1=49.50'))).toBe('whole');
  });

  it('is whole units where an amount has decimals, and does not matter without amounts or decimals', () => {
    expect(unitOf('Tool', [sample(49, 9.8)], 'USD', undefined)).toBe('whole');
    expect(unitOf('Tool', [], 'USD', undefined)).toBe('smallest');
    expect(unitOf('Tool', [sample(4900, 980)], 'JPY', undefined)).toBe('smallest');
  });

  it.each([
    [[sample(4900, 980)], undefined, 'Tool does not say whether its amounts are in cents or in whole units of USD.'],
    [
      [sample(5000, 980)],
      'ch_1=49.00',
      /has 5000 for the sale "ch_1", which is 49.00 USD neither in cents nor in whole units/,
    ],
    [[sample(4900, 980)], 'ch_2=49.00', 'Tool has no commission for the sale "ch_2".'],
    [[sample(4900, 980), sample(9.5, 1.9, 'ch_2')], 'ch_1=49.00', /is in cents, but Tool also has 1.9/],
  ])('is refused when it cannot be told: %#', (samples, text, message) => {
    const sale = text === undefined ? undefined : known(text);
    expect(() => unitOf('Tool', samples, 'USD', sale)).toThrow(message);
  });

  it.each(['49.00', 'ch_1=', '=49', 'ch_1=49.000', 'ch_1=4 900'])('refuses --known-sale %s', (text) => {
    expect(() => known(text)).toThrow(
      '--known-sale must be the id of a sale and its amount in USD, such as ch_123=49.00.',
    );
  });
});
