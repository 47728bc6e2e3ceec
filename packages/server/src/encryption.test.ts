import { createDecipheriv, createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createEncryption } from './encryption.ts';

const encryption = createEncryption('a secret');
const bytesOf = (sealed: string) => Buffer.from(sealed, 'base64url');
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

describe('a sealed text', () => {
  it.each(['', 'whsec_1', '\u2603 ünï', 'x'.repeat(100_000)])('is opened with the same secret', (text) => {
    expect(encryption.open(encryption.seal(text))).toBe(text);
  });

  it('does not contain the text, and is another one each time', () => {
    const [one, other] = [encryption.seal('whsec_1'), encryption.seal('whsec_1')];
    expect(one).not.toBe(other);
    expect(bytesOf(one).includes('whsec_1')).toBe(false);
    expect(bytesOf(one)).toHaveLength(NONCE_BYTES + TAG_BYTES + 'whsec_1'.length);
  });

  it('is AES with 256 bits in Galois/Counter mode', () => {
    const bytes = bytesOf(encryption.seal('whsec_1'));
    const key = createHash('sha256').update('a secret').digest();
    const aes = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    aes.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const opened = Buffer.concat([aes.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), aes.final()]);
    expect(opened.toString()).toBe('whsec_1');
  });

  it('is not opened with another secret', () => {
    expect(() => createEncryption('another secret').open(encryption.seal('whsec_1'))).toThrow();
  });

  it('is not opened after any of its bytes was changed', () => {
    const bytes = bytesOf(encryption.seal('whsec_1'));
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => encryption.open(changed.toString('base64url'))).toThrow();
    }
  });

  it.each([4, 8, 12, 15])('is not opened with only %i bytes of its tag, which are easier to forge', (bytes) => {
    const sealed = bytesOf(encryption.seal('')).subarray(0, NONCE_BYTES + bytes);
    expect(() => encryption.open(sealed.toString('base64url'))).toThrow();
  });
});
