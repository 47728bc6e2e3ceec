import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashEmailIdentity } from './email.ts';

const hash = (email: string) => hashEmailIdentity(email, 'key');

describe('hashEmailIdentity', () => {
  it.each([
    ['jane@example.com', ' Jane@Example.COM\n'],
    ['jane@example.com', 'jane+shop@example.com'],
    ['jane@example.com', 'jane+a+b@example.com'],
    ['jane.doe@gmail.com', 'janedoe@gmail.com'],
    ['jane.doe@gmail.com', 'J.a.n.e.Doe+x@googlemail.com'],
  ])('is the same for %j and %j', (one, other) => {
    expect(hash(one)).toBe(hash(other));
  });

  it.each([
    ['jane@example.com', 'john@example.com'],
    ['jane@example.com', 'jane@example.org'],
    ['jane.doe@example.com', 'janedoe@example.com'],
    ['jane@gmail.com', 'jane@gmail.com.example.com'],
    ['+a@example.com', '@example.com'],
  ])('differs for %j and %j', (one, other) => {
    expect(hash(one)).not.toBe(hash(other));
  });

  it('differs by secret', () => {
    expect(hashEmailIdentity('jane@example.com', 'other')).not.toBe(hash('jane@example.com'));
  });

  it('is 64 hexadecimal digits for any text', () => {
    fc.assert(fc.property(fc.string(), (text) => /^[0-9a-f]{64}$/.test(hash(text))));
  });
});
