import type { LinkHosts } from '../domains/link-hosts.ts';

type Link = { programId: number; shortLink: string };

/** The short address of a link: on the program's own host if it has one, otherwise on that of the service. */
export function shortUrl(
  { baseUrl, lookup: { hosts } }: { baseUrl: string; lookup: { hosts: Pick<LinkHosts, 'ofProgram'> } },
  { programId, shortLink }: Link,
): string {
  const host = hosts.ofProgram(programId);
  if (host === undefined) return `${baseUrl}/r/${encodeURIComponent(shortLink)}`;
  // On its own host, a program's own name for a link is enough.
  const suffix = `~${programId}`;
  const name = shortLink.endsWith(suffix) ? shortLink.slice(0, -suffix.length) : shortLink;
  return `${new URL(baseUrl).protocol}//${host}/${encodeURIComponent(name)}`;
}
