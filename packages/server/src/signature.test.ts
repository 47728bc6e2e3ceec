import { describe, expect, it } from 'vitest';
import { isSignature, signatureOf } from './signature.ts';

describe('a signature', () => {
  const right = signatureOf('a secret', 'plan', 'text');

  it('has 256 bits', () => {
    expect(Buffer.from(right, 'base64url')).toHaveLength(32);
  });

  it.each([
    ['another secret', signatureOf('b secret', 'plan', 'text')],
    ['another purpose', signatureOf('a secret', 'link', 'text')],
    ['another text', signatureOf('a secret', 'plan', 'texu')],
    ['a purpose that ends where the text begins', signatureOf('a secret', 'pla', 'n\0text')],
    ['a part of it', right.slice(0, -1)],
    ['nothing', ''],
  ])('does not match with %s', (_what, given) => {
    expect(isSignature(given, right)).toBe(false);
    expect(isSignature(right, right)).toBe(true);
  });
});
