import { dayAfter, isDay } from './day.ts';

type RawSearch = Record<string, unknown>;

/** Reads one parameter of a query string; what is missing or not valid is undefined. */
type Parser<Value> = (value: unknown) => Value | undefined;

/** Splits a query string into parameters. Values stay text: `007` does not become a number. */
export function parseSearch(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

/** Writes a query string without empty parameters, so that the URL of an unfiltered list is short. */
export function formatSearch(search: RawSearch): string {
  const entries = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams(entries).toString();
  return query ? `?${query}` : '';
}

/** Any text that is not empty. */
export const text: Parser<string> = (value) => (typeof value === 'string' && value !== '' ? value : undefined);

/** A day, such as `2026-03-31`. */
export const day: Parser<string> = (value) => (typeof value === 'string' && isDay(value) ? value : undefined);

/** The id of a record. */
export const recordId: Parser<string> = (value) =>
  typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value) ? value : undefined;

/** One of these values. */
export function oneOf<const Value extends string>(values: readonly Value[]): Parser<Value> {
  return (value) => values.find((known) => known === value);
}

/** Creates the validator of a route’s query string from a parser for each parameter. All of them are optional. */
export function searchParams<Values extends Record<string, string>>(
  parsers: {
    [Name in keyof Values]: Parser<Values[Name]>;
  },
): (search: RawSearch) => Partial<Values> {
  return (search) => {
    const parsed: Partial<Values> = {};
    // Invalid parameters are set to undefined: the router keeps the raw value of those that are left out.
    for (const name in parsers) parsed[name] = parsers[name](search[name]);
    return parsed;
  };
}

/** The parameters with some of them changed. Changing a filter goes back to the first page of the list. */
export function changeSearch<Search extends { cursor?: string }>(search: Search, changes: Partial<Search>): Search {
  return { ...search, cursor: undefined, ...changes };
}

/**
 * Splits the parameters of a list page into the cursor of its page, its order and its filters, as the API and its exports take
 * them. In the URL, `to` is the last day of the list; in the API, it is the moment at which the list ends.
 */
export function listQuery<Search extends { cursor?: string; sort?: string; to?: string }>({
  cursor,
  sort,
  ...filters
}: Search) {
  return {
    sort: sort as Search['sort'],
    filters: { ...filters, ...(filters.to && { to: dayAfter(filters.to) }) },
    cursor,
    isFiltered: Object.values(filters).some(Boolean),
  };
}

/** The order of a list: one of its columns, or one after a minus for the reverse. */
export function sortOf<const Name extends string>(names: readonly Name[]): Parser<Name | `-${Name}`> {
  return oneOf([...names, ...names.map((name) => `-${name}` as const)]);
}

/** Where to go after signing in: only ever a path of this application. */
export function safeNext(next: string | undefined): string {
  return next && /^\/(app|invite|cli)(\/|$|\?|#)/.test(next) && !next.includes('\\') ? next : '/app';
}
