import type { IncomingHttpHeaders } from 'node:http';

/** A request of a payment processor as it arrived. The signature covers these bytes. */
export type SignedRequest = { raw: Buffer; headers: IncomingHttpHeaders };

/**
 * Which of the secrets has signed a request, by its position, if one has. A signature that fits but is too old is no sign of a
 * wrong secret: the request was delayed, or was sent again.
 */
export type Signature = { is: 'signed'; by: number } | { is: 'unsigned' } | { is: 'mismatch' } | { is: 'too_old' };

/** The maximum age of a signature. Events are stored once by their id, so one that is sent again within it changes nothing. */
export const TOLERANCE_SECONDS = 300;

/** Verifies the signature of a request, and its age by the clock of the service. */
export type VerifySignature = (request: SignedRequest, secrets: string[], now: Date) => Promise<Signature>;

/** Tries the secrets in turn. `fits` may throw when the signature does not fit. */
export async function tryEach(
  secrets: string[],
  fits: (secret: string) => Promise<boolean>,
  /** Left out where signatures have no time. */
  age?: { signedAt: number; now: Date },
): Promise<Signature> {
  for (const [by, secret] of secrets.entries()) {
    if (!(await fits(secret).catch(() => false))) continue;
    const ageSeconds = age ? age.now.getTime() / 1000 - age.signedAt : 0;
    return ageSeconds > TOLERANCE_SECONDS ? { is: 'too_old' } : { is: 'signed', by };
  }
  return { is: 'mismatch' };
}
