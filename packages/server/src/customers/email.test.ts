import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashEmail, maskEmail } from './email.ts';

describe('hashEmail', () => {
  it('is the HMAC-SHA-256 of the address in lower case, under the secret', () => {
    expect(hashEmail('jane@example.com', 'key')).toBe(
      '43c915a5fb2a55c3ccab3ef8b4ceec305b515df308878ece0d42526f5e24484a',
    );
  });

  it.each([' jane@example.com', 'Jane@Example.COM', 'jane@example.com\n'])('is the same for %j', (email) => {
    expect(hashEmail(email, 'key')).toBe(hashEmail('jane@example.com', 'key'));
  });

  it('differs by address and by secret, so that addresses cannot be guessed without the secret', () => {
    const hashes = [
      hashEmail('jane@example.com', 'key'),
      hashEmail('john@example.com', 'key'),
      hashEmail('jane@example.com', 'other'),
    ];
    expect(new Set(hashes).size).toBe(3);
  });
});

describe('maskEmail', () => {
  it.each([
    ['jane@example.com', 'j***@example.com'],
    [' jane@example.com ', 'j***@example.com'],
    ['j@example.com', 'j***@example.com'],
    ['@example.com', '***@example.com'],
    ['"jane@home"@example.com', '"***@example.com'],
    ['no address', '***'],
    ['jane@', '***'],
    ['', '***'],
  ])('shows %j as %j', (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });

  it('shows at most the first character of the name, and nothing that cannot be stored', () => {
    const name = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((text) => text.trim() === text);
    fc.assert(
      fc.property(name, (text) => {
        const masked = maskEmail(`${text}@example.com`);
        expect(masked).toBe(`${[...text][0]}***@example.com`);
        expect(masked.isWellFormed()).toBe(true);
      }),
    );
  });
});
