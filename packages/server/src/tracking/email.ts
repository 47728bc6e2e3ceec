import { createHmac } from 'node:crypto';

/** Recognises an e-mail again without keeping it. */
export function hashEmail(email: string, secret: string): string {
  return createHmac('sha256', secret).update(email.trim().toLowerCase()).digest('hex');
}

/** `j***@example.com`: enough for a person to recognise, too little to write to. */
export function maskEmail(email: string): string {
  const [name = '', domain] = email.trim().split('@');
  return domain ? `${name.slice(0, 1)}***@${domain}` : '***';
}
