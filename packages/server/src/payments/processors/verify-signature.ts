import type { IncomingHttpHeaders } from 'node:http';

/** A request of a payment processor as it arrived. The signature covers these bytes. */
export type SignedRequest = { raw: Buffer; headers: IncomingHttpHeaders };

/** Which of the secrets has signed a request, by its position, if one has. */
export type Signature = { is: 'signed'; by: number } | { is: 'unsigned' } | { is: 'mismatch' };

/** Verifies a request with the processor's own library. */
export type VerifySignature = (request: SignedRequest, secrets: string[], now: Date) => Promise<Signature>;

/** Tries the secrets in turn. `fits` may throw when the signature does not fit. */
export async function tryEach(secrets: string[], fits: (secret: string) => Promise<boolean>): Promise<Signature> {
  for (const [by, secret] of secrets.entries()) {
    if (await fits(secret).catch(() => false)) return { is: 'signed', by };
  }
  return { is: 'mismatch' };
}
