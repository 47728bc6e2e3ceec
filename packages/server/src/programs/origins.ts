import type { Program } from './program.ts';

/**
 * Whether a page of this origin may report to the program: `https` on the program's domain or any subdomain of it, or
 * exactly one of the origins named in its settings.
 */
export function isOriginAllowed(program: Pick<Program, 'domain' | 'allowedOrigins'>, origin: string): boolean {
  if (program.allowedOrigins.includes(origin)) return true;
  const domain = program.domain.toLowerCase();
  return origin === `https://${domain}` || (origin.startsWith('https://') && origin.endsWith(`.${domain}`));
}
