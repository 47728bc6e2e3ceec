import { withoutWww } from '@svc/contract';
import type { Program } from './program.ts';

/**
 * Whether pages of this origin may report events to the program: `https` on its domain or a subdomain, or exactly one of
 * the origins in its settings.
 */
export function isOriginAllowed(program: Pick<Program, 'domain' | 'allowedOrigins'>, origin: string): boolean {
  if (program.allowedOrigins.includes(origin)) return true;
  // Older programs may be stored with `www.`.
  const domain = withoutWww(program.domain.toLowerCase());
  return origin === `https://${domain}` || (origin.startsWith('https://') && origin.endsWith(`.${domain}`));
}
