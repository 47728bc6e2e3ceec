import { createHmac, timingSafeEqual } from 'node:crypto';
import { tryEach, type VerifySignature } from '../verify-signature.ts';

/** The signature is the HMAC of the body in hexadecimal digits. It has no time; an event that is sent again is a duplicate. */
export const verifySignature: VerifySignature = async ({ raw, headers }, secrets) => {
  const header = headers['x-signature'];
  if (!header) return { is: 'unsigned' };
  const signature = Buffer.from(String(header), 'hex');
  return tryEach(secrets, async (secret) => {
    const expected = createHmac('sha256', secret).update(raw).digest();
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
};
