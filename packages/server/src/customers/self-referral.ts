import { hashEmailIdentity } from './email.ts';

type Maybe = string | null | undefined;

/**
 * Whether one of the hashed e-mails is one of the partner's own, however it is written. Customers' e-mails are stored only as
 * hashes, so the partner's are hashed to compare them, and only when there is something to compare.
 */
export function belongToPartner(emailIdentityHashes: Maybe[], partnerEmails: Maybe[], secret: string): boolean {
  if (!emailIdentityHashes.some(Boolean)) return false;
  return partnerEmails.some((email) => email && emailIdentityHashes.includes(hashEmailIdentity(email, secret)));
}
