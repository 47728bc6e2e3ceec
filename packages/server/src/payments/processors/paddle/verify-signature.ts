import { createHmac, timingSafeEqual } from 'node:crypto';
import { tryEach, type VerifySignature } from '../verify-signature.ts';

/** How many signatures of a header are tried. There are two while Paddle rotates a secret. */
const MAX_SIGNATURES = 3;

/**
 * Verifies the HMAC over the time and the body. Not by Paddle's library: it allows five seconds by the clock of the machine, and
 * takes a request that was delayed for one with a wrong secret. A test compares the two.
 */
export const verifySignature: VerifySignature = async ({ raw, headers }, secrets, now) => {
  const header = headers['paddle-signature'];
  if (!header) return { is: 'unsigned' };
  const parts = String(header)
    .split(';')
    .map((part) => part.trim());
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [time = ''] = valuesOf('ts');
  const signatures = valuesOf('h1').slice(0, MAX_SIGNATURES);
  if (!/^\d{1,12}$/.test(time)) return { is: 'mismatch' };
  const fits = async (secret: string) => {
    const expected = createHmac('sha256', secret).update(`${time}:`).update(raw).digest();
    return signatures.some((signature) => isSame(Buffer.from(signature, 'hex'), expected));
  };
  return tryEach(secrets, fits, { signedAt: Number(time), now });
};

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
