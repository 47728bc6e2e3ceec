/** What an address says behind its `?`: plain names and values. */
export type Search = Record<string, string | undefined>;

/** Reads it; of a name that comes twice the last one counts. */
export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes it; what is empty is left out, so that the address of a list without filters is short. */
export function formatSearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(entries).toString();
  return text ? `?${text}` : '';
}

/** The search with some of it changed. Another filter begins at the first page again. */
export function changeSearch(search: Search, changes: Search): Search {
  return { ...search, cursor: undefined, ...changes };
}

/** Where to go after signing in: only ever a path of this application. */
export function safeNext(next: string | undefined): string {
  return next && /^\/(app|invite|cli)(\/|$|\?|#)/.test(next) && !next.includes('\\') ? next : '/app';
}
