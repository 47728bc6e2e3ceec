import { isOriginAllowed } from '../../programs/origins.ts';
import type { LookupCache } from '../lookup-cache.ts';
import type { Link } from './link.ts';

/** Where the visitor is: the origin of the page or, if the browser does not tell, the address of the landing page. */
export type Place = { origin: string | undefined; url: string | undefined };

/**
 * The link that a code leads to from a site. A code means the link of that name wherever this link may be used. Only where it
 * may not, it means that of a program whose site it is and that has the code as an alias. Costs no reads once it is cached.
 */
export async function identifyLink(
  lookup: Pick<LookupCache, 'code' | 'program'>,
  code: string,
  place: Place,
): Promise<Link | null> {
  const found = await lookup.code(code);
  if (!found) return null;
  const named = found.link?.isDeleted ? null : found.link;
  const origin = found.aliases.length > 0 ? originOf(place) : null;
  if (origin === null) return named;
  for (const link of named ? [named, ...found.aliases] : found.aliases) {
    const program = link.programId === null ? null : await lookup.program(link.programId);
    if (program && isOriginAllowed(program, origin)) return link;
  }
  return named;
}

function originOf({ origin, url }: Place): string | null {
  if (origin !== undefined) return origin;
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : null;
}
