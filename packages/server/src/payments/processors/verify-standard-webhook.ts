import { createHmac, timingSafeEqual } from 'node:crypto';
import { TOLERANCE_SECONDS, tryEach, type VerifySignature } from './verify-signature.ts';

/** How many signatures of a header are tried. There are two while a secret is replaced. */
const MAX_SIGNATURES = 5;

/**
 * Verifies a request as Standard Webhooks describes it. The library for it decodes secrets in one way only and compares with the
 * clock of the machine, so this is done here.
 */
export function verifyStandardWebhook(keyOf: (secret: string) => Buffer): VerifySignature {
  return async ({ raw, headers }, secrets, now) => {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': list } = headers;
    if (!id || !timestamp || !list) return { is: 'unsigned' };
    const signedAt = Number(timestamp);
    if (!(signedAt - now.getTime() / 1000 <= TOLERANCE_SECONDS)) return { is: 'mismatch' };
    const signatures = String(list)
      .split(' ')
      .filter((each) => each.startsWith('v1,'))
      .slice(0, MAX_SIGNATURES)
      .map((each) => Buffer.from(each.slice('v1,'.length), 'base64'));
    const fits = async (secret: string) => {
      const expected = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(raw).digest();
      return signatures.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
    };
    return tryEach(secrets, fits, { signedAt, now });
  };
}
