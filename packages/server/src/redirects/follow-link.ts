import { CLICK_COOKIE, isStorable, MAX_IDENTIFIER_CHARS, MAX_URL_CHARS, readSub } from '@svc/contract';
import type { PageFacts } from '../clicks/click.ts';
import { submitClick } from '../clicks/record-click.ts';
import { formatClickId } from '../customers/click-id.ts';
import { GroupFull } from '../db/group-commit.ts';
import { within } from '../db/within.ts';
import { type CodeLinks, isLinkLive, type Link } from '../partners/links/link.ts';
import type { Program } from '../programs/program.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { addParameter, destinationPage, landingPage, startPage } from './landing-page.ts';

export type RedirectContext = TrackingContext & { baseUrl: string };

export type Visit = {
  /** The end of the address: `jane`, or `jane~12` for the link that program 12 knows as `jane`. */
  shortLink: string;
  /** On a host of a program, where only its own links are found. */
  programId?: number;
  /** The query of the address as it was sent, without the question mark. */
  query: string;
  /** When the visitor is redirected at the latest, on the clock of `performance.now`. */
  until: number;
  /** Whether a visitor waits, who is better led to a likely page than to none. Those who only ask where a link leads get no guess. */
  isLed: boolean;
  /** Whether the visit leaves a click; bots and prefetches leave none. */
  isCounted: boolean;
  /** The click id that the browser already has, where the address shares its cookies with the program's site. */
  existingClickId?: string | undefined;
  page: Pick<PageFacts, 'userAgent' | 'referrerUrl' | 'country'>;
};

export type Followed =
  /** `missed`: the store did not answer in time, and the tracker reports the click. */
  | { kind: 'redirect'; location: string; click: 'recorded' | 'missed' | 'none' }
  | { kind: 'unknown' }
  /** The link is not in memory, and the store did not answer in time. */
  | { kind: 'unavailable' };

/**
 * Says where a visitor of a short address is led, and records the click. It waits no longer than the visitor may: a link that was
 * used before is in memory, and without an answer to the click the address has no click id.
 */
export async function followLink(ctx: RedirectContext, visit: Visit): Promise<Followed> {
  const link = await findShortLink(ctx, visit);
  if (link === undefined) return visit.isLed ? leadToOnlySite(ctx, visit) : { kind: 'unavailable' };
  if (link === null) return { kind: 'unknown' };
  const program = link.programId === null ? null : await ctx.lookup.programWithin(timeLeft(visit), link.programId);
  if (!program) return { kind: program === null ? 'unknown' : 'unavailable' };

  const landing = landingOf(ctx, link, program, visit.query);
  if (isShortAddress(ctx, landing.page)) return { kind: 'unknown' };
  if (link.partnerId === null || !isLinkLive(link, program)) {
    return { kind: 'redirect', location: landing.page.href, click: 'none' };
  }
  if (!visit.isCounted) return { kind: 'redirect', location: addressOf(landing), click: 'none' };

  const clickId = await recordVisit(ctx, link, program, landing, visit);
  return {
    kind: 'redirect',
    location: addressOf(landing, clickId),
    click: clickId === undefined ? 'missed' : 'recorded',
  };
}

/** The page that visitors of a link with this query are led to. */
type Landing = {
  query: string;
  /** Where the link leads, and whether that would lead on, so that the start page takes its place. */
  destination: URL;
  isStartPage: boolean;
  /** Without parameters of the service. */
  page: URL;
  /** The address with the link's code, and what comes after its query. */
  address: string;
  fragment: string;
  sub: string | undefined;
};

/** Anyone can open any number of links with queries of any length, so the number and the length of what is remembered are limited. */
const MOST_REMEMBERED = 5_000;
const MAX_REMEMBERED_CHARS = 1_000;

/**
 * Most visitors of a link come from the same place, so the landing page of the last one fits the next. It is forgotten when
 * the program is loaded again.
 */
const lastLandings = new WeakMap<Program, Map<Link, Landing>>();

function landingOf(ctx: RedirectContext, link: Link, program: Program, query: string): Landing {
  const known = lastLandings.get(program) ?? new Map<Link, Landing>();
  lastLandings.set(program, known);
  const last = known.get(link);
  const destination = last?.destination ?? destinationPage(program, link);
  const isStartPage = isShortAddress(ctx, destination);
  if (last?.query === query && last.isStartPage === isStartPage) return last;
  const page = landingPage(isStartPage ? startPage(program) : new URL(destination), query);
  const withCode = new URL(page);
  addParameter(withCode, 'aff', link.shortLink);
  const [address = '', ...fragment] = withCode.href.split(/(?=#)/);
  const sub = readSub(withCode.searchParams);
  const landing = { query, destination, isStartPage, page, address, fragment: fragment.join(''), sub };
  if (destination.href.length + query.length + withCode.href.length > MAX_REMEMBERED_CHARS) return landing;
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.set(link, landing);
  return landing;
}

/** Where the visitor is led, with the id of their click. */
function addressOf({ address, fragment }: Landing, clickId?: string): string {
  return clickId === undefined ? address + fragment : `${address}&${CLICK_COOKIE}=${clickId}${fragment}`;
}

/** Where a link leads that cannot be looked up in time: it can only be of the program that has all links, if there is one. */
function leadToOnlySite(ctx: RedirectContext, visit: Visit): Followed {
  const program = visit.programId === undefined ? ctx.lookup.onlyProgram() : undefined;
  const page = program && landingPage(startPage(program), visit.query);
  if (!page || isShortAddress(ctx, page)) return { kind: 'unavailable' };
  addParameter(page, 'aff', candidates(visit).at(-1)!.shortLink);
  return { kind: 'redirect', location: page.href, click: 'missed' };
}

/** Whether a link that leads there would lead on to another one, or in circles, with a click each time. */
function isShortAddress({ baseUrl, lookup: { hosts } }: RedirectContext, { origin, hostname, pathname }: URL): boolean {
  if (hosts.find(hostname) !== undefined) return true;
  return pathname.startsWith('/r/') && origin === new URL(baseUrl).origin;
}

/** The link; null if there is none, and undefined if that cannot be told in time. */
async function findShortLink({ lookup }: TrackingContext, visit: Visit): Promise<Link | null | undefined> {
  for (const { shortLink, programId } of candidates(visit)) {
    if (shortLink.length > MAX_IDENTIFIER_CHARS || !isStorable(shortLink)) continue;
    const found = await lookup.codeWithin(timeLeft(visit), shortLink);
    if (found === undefined) return undefined;
    const link = found && linkIn(found, programId);
    if (link) return link;
  }
  return null;
}

/** The link that a code means: within a program, or anywhere. A code that several programs have taken over means none of them. */
function linkIn({ link, aliases }: CodeLinks, programId: number | undefined): Link | undefined {
  if (programId !== undefined) return [link, ...aliases].find((each) => each?.programId === programId) ?? undefined;
  return link ?? (aliases.length === 1 ? aliases[0] : undefined);
}

/** The links that an address may mean, in this order. A program's own name for a link comes first on its own host. */
function candidates({ shortLink, programId }: Pick<Visit, 'shortLink' | 'programId'>) {
  const [, code, program] = /^(.+)~(\d{1,15})$/s.exec(shortLink) ?? [];
  return [
    ...(programId === undefined ? [] : [{ shortLink: `${shortLink}~${programId}`, programId }]),
    { shortLink, programId },
    ...(code === undefined || (programId !== undefined && programId !== Number(program))
      ? []
      : [{ shortLink: code, programId: Number(program) }]),
  ];
}

/** The id of the click, which waits for its group; undefined if it is not known in time. */
async function recordVisit(
  ctx: TrackingContext,
  link: Link,
  program: Program,
  landing: Landing,
  visit: Visit,
): Promise<string | undefined> {
  const address = addressOf(landing);
  const facts = {
    ...visit.page,
    ...(address.length <= MAX_URL_CHARS && { affiliateUrl: address }),
    sub: landing.sub,
  };
  const click = { existingClickId: visit.existingClickId, isTest: false, page: facts };
  const maxWaitMs = timeLeft(visit);
  const recorded = submitClick(ctx, link, program, click, maxWaitMs).catch((error) => {
    if (!(error instanceof GroupFull)) ctx.log.error({ err: error }, 'The click of a redirect was not stored');
    return undefined;
  });
  const known = await within(maxWaitMs, recorded);
  return known && formatClickId(known.clickId);
}

const timeLeft = ({ until }: Visit) => until - performance.now();
