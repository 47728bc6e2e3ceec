import { createHmac } from 'node:crypto';

export { maskEmail } from '@svc/contract';

/** A keyed hash that matches the same e-mail again without storing it. */
export function hashEmail(email: string, secret: string): string {
  return createHmac('sha256', secret).update(email.trim().toLowerCase()).digest('hex');
}
