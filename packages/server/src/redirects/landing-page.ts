import { CLICK_COOKIE, MAX_URL_CHARS } from '@svc/contract';
import type { Link } from '../partners/links/link.ts';
import { isOriginAllowed } from '../programs/origins.ts';
import type { Program } from '../programs/program.ts';

/** Parameters that only the service sets. */
const OWN = new Set(['aff', CLICK_COOKIE]);

/**
 * The page that a visitor of a short address is led to, without the parameters of the service. It is on the host of the
 * destination, whatever the query says: the destination itself, or the page that `to` names.
 */
export function landingPage(destination: URL, query: string): URL {
  const given = parametersOf(query);
  const to = given.find(({ name }) => name === 'to');
  const page = (to && pageOfHost(destination, to.value)) ?? destination;
  const passedOn = given.filter(({ name }) => name !== 'to' && !OWN.has(name));
  const replaced = new Set(passedOn.map(({ name }) => name));
  const kept = parametersOf(page.search.slice(1)).filter(({ name }) => !replaced.has(name) && !OWN.has(name));
  // With a question mark of its own: the first one of the text would be taken for it, and `?aff` would become `aff`.
  const search = [...kept, ...passedOn].map(({ text }) => text).join('&');
  page.search = search && `?${search}`;
  return page;
}

/** Appends a parameter to the page's query, and leaves the rest as it is written. */
export function addParameter(page: URL, name: string, value: string): void {
  page.search = `${page.search}${page.search === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`;
}

export const startPage = ({ domain }: Pick<Program, 'domain'>) => new URL(`https://${domain}/`);

/** Where a link leads: the start page of the program's site, if the brand no longer allows the site that the link names. */
export function destinationPage(
  program: Pick<Program, 'domain' | 'allowedOrigins'>,
  { destinationUrl }: Pick<Link, 'destinationUrl'>,
): URL {
  if (destinationUrl !== null && URL.canParse(destinationUrl)) {
    const url = new URL(destinationUrl);
    const isWebPage = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    if (isWebPage && isOriginAllowed(program, url.origin)) return url;
  }
  return startPage(program);
}

/** What browsers read as a slash, or drop, and servers take for one. */
const MISLEADING = /[\p{Cc}\\]|^$|^[^/]|^[^?#]*(?:\/\/|%2f|%5c)/iu;

/** The page of the host at this path; null if it is not plainly a path. */
function pageOfHost(host: URL, path: string): URL | null {
  if (path.length > MAX_URL_CHARS || MISLEADING.test(path) || !URL.canParse(path, host.origin)) return null;
  const page = new URL(path, host.origin);
  return page.origin === host.origin ? page : null;
}

type Parameter = { name: string; value: string; text: string };

/** The parameters of a query with their names, each as it is written: what is passed on stays as it was sent. */
function parametersOf(query: string): Parameter[] {
  if (query === '') return [];
  return query
    .split('&')
    .filter((text) => text !== '')
    .map((text) => {
      const [name, value] = decode(text);
      return { name, value, text };
    });
}

// A question mark at the start would be taken for that of the query.
const decode = (text: string) => new URLSearchParams(`&${text}`).entries().next().value ?? ['', ''];
