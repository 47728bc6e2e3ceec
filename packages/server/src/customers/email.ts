import { createHmac } from 'node:crypto';

/** A keyed hash that matches the same e-mail again without storing it. */
export function hashEmail(email: string, secret: string): string {
  return createHmac('sha256', secret).update(email.trim().toLowerCase()).digest('hex');
}

/** `j***@example.com`: enough for a person to recognize, too little to send mail to. */
export function maskEmail(email: string): string {
  const text = email.trim();
  const at = text.lastIndexOf('@');
  const [first = ''] = text.slice(0, Math.max(at, 0));
  return at >= 0 && at < text.length - 1 ? `${first}***${text.slice(at)}` : '***';
}
