import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatClickId, parseClickId } from './click-id.ts';

describe('a click id has the shape cust_<number>_<millisecond timestamp>', () => {
  it('is formatted from the customer’s id and the click’s time', () => {
    const clickedAt = new Date('2026-03-10T12:00:00.123Z');
    expect(formatClickId({ customerId: 42, clickedAt })).toBe('cust_42_1773144000123');
  });

  it('is parsed back to the same customer and time', () => {
    const clickIds = fc.record({
      customerId: fc.integer({ min: 1, max: 999_999_999_999_999 }),
      clickedAt: fc.date({ min: new Date(0), max: new Date(99_999_999_999_999), noInvalidDate: true }),
    });
    fc.assert(
      fc.property(clickIds, (clickId) => {
        expect(parseClickId(formatClickId(clickId))).toEqual(clickId);
      }),
    );
  });

  it.each([
    undefined,
    '',
    'cust_',
    'cust_42',
    'cust_42_',
    'cust__1773144000123',
    'cust_42_1773144000123_',
    'cust_42_1773144000123 ',
    ' cust_42_1773144000123',
    'cust_42_1773144000123\n',
    'CUST_42_1773144000123',
    'cust-42-1773144000123',
    'cust_-42_1773144000123',
    'cust_+42_1773144000123',
    'cust_4.2_1773144000123',
    'cust_4e2_1773144000123',
    'cust_0x2a_1773144000123',
    'cust_٤٢_1773144000123',
    'cust_42_-1773144000123',
    `cust_${'9'.repeat(16)}_1773144000123`,
    `cust_42_${'9'.repeat(15)}`,
    "cust_42_1773144000123' or '1'='1",
    'cust_42_1773144000123\0',
  ])('nothing else is accepted: %j', (text) => {
    expect(parseClickId(text)).toBeNull();
  });

  it('any text that is accepted gives a number and a time that a database can hold', () => {
    const almost = fc.tuple(fc.constantFrom('cust_', 'cust_1_', ''), fc.string(), fc.nat(), fc.string());
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          almost.map((parts) => parts.join('')),
          fc.stringMatching(/^cust_\d+_\d+$/),
        ),
        (text) => {
          const clickId = parseClickId(text);
          if (clickId === null) return;
          expect(Number.isSafeInteger(clickId.customerId)).toBe(true);
          expect(Number.isNaN(clickId.clickedAt.getTime())).toBe(false);
        },
      ),
    );
  });
});
