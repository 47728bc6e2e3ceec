import { createHmac } from 'node:crypto';

export { maskEmail } from '@svc/contract';

/** A keyed hash that matches the same e-mail again without storing it. */
export function hashEmail(email: string, secret: string): string {
  return createHmac('sha256', secret).update(email.trim().toLowerCase()).digest('hex');
}

/**
 * A keyed hash of the mailbox behind an e-mail address. It is the same for the variants of their own address that people use
 * to look like someone else: other case, a `+tag`, and dots at Gmail, which ignores them.
 */
export function hashEmailIdentity(email: string, secret: string): string {
  return hashEmail(mailboxOf(email), secret);
}

const GMAIL_DOMAINS = ['gmail.com', 'googlemail.com'];

function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  if (at < 1) return address;
  const domain = address.slice(at + 1);
  const name = address.slice(0, at).replace(/(?<=.)\+.*$/s, '');
  return GMAIL_DOMAINS.includes(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
