import { describe, expect, it } from 'vitest';
import { hashSecretToken, newSecretToken } from './secret-token.ts';

describe('a secret token', () => {
  it('has 256 random bits after its prefix', () => {
    const tokens = Array.from({ length: 1_000 }, () => newSecretToken('svc_at_').token);
    for (const token of tokens) {
      expect(token).toMatch(/^svc_at_[\w-]{43}$/);
      expect(Buffer.from(token.slice('svc_at_'.length), 'base64url')).toHaveLength(32);
    }
    expect(new Set(tokens).size).toBe(1_000);
  });

  it('is stored as its SHA-256 hash', () => {
    // From FIPS 180-2: the digest of “abc”.
    expect(hashSecretToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    const { token, hash } = newSecretToken('svc_at_');
    expect(hash).toBe(hashSecretToken(token));
  });
});
