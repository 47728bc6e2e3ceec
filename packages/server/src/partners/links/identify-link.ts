import { isOriginAllowed } from '../../programs/origins.ts';
import type { LookupCache } from '../lookup-cache.ts';
import type { Link } from './link.ts';

/**
 * Where the visitor is: the origin of the page or, if the browser does not tell, the address of the landing page. Trackers that
 * read the codes of other tools also say which program the page belongs to.
 */
export type Place = { origin: string | undefined; url: string | undefined; programId?: number | undefined };

/**
 * The link that a code leads to from a site. A code means the link of that name wherever this link may be used. Only where it
 * may not, it means that of a program whose site it is and that has the code as an alias. A page that names its program means
 * the link of that program, no matter who else claims the site. Costs no reads once it is cached.
 */
export async function identifyLink(
  lookup: Pick<LookupCache, 'code' | 'program'>,
  code: string,
  place: Place,
): Promise<Link | null> {
  const found = await lookup.code(code);
  if (!found) return null;
  const named = found.link?.isDeleted ? null : found.link;
  if (found.aliases.length === 0) return named;
  const all = named ? [named, ...found.aliases] : found.aliases;
  const own = all.find(({ programId }) => programId !== null && programId === place.programId);
  const origin = originOf(place);
  if (origin === null) return own ?? named;
  for (const link of own ? [own, ...all] : all) {
    const program = link.programId === null ? null : await lookup.program(link.programId);
    if (program && isOriginAllowed(program, origin)) return link;
  }
  return named;
}

function originOf({ origin, url }: Place): string | null {
  if (origin !== undefined) return origin;
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : null;
}
