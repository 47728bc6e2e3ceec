/** The short address of a link on the service's own host. */
export function shortUrl({ baseUrl }: { baseUrl: string }, shortLink: string): string {
  return `${baseUrl}/r/${encodeURIComponent(shortLink)}`;
}
