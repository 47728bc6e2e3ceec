import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** A shorter tag would be easier to forge, and the library accepts one unless a length is set. */
const TAG = { authTagLength: 16 };

/** Encrypts values that must be readable again, with a key that is not stored in the database. */
export type Encryption = { seal(text: string): string; open(sealed: string): string };

export function createEncryption(secret: string): Encryption {
  const key = createHash('sha256').update(secret).digest();
  return {
    seal(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, TAG);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), TAG);
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
}
