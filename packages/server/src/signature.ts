import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs a text for one purpose. A signature made for another purpose never matches. */
export function signatureOf(secret: string, purpose: string, text: string): string {
  return createHmac('sha256', secret).update(`${purpose}\0${text}`).digest('base64url');
}

export function isSignature(given: string, right: string): boolean {
  const [left, expected] = [Buffer.from(given), Buffer.from(right)];
  return left.length === expected.length && timingSafeEqual(left, expected);
}
