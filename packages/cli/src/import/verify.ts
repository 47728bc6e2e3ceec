import {
  manageCoupons,
  manageDomains,
  manageLinks,
  managePartners,
  type manageProgram,
  type ReplyOf,
  withoutWww,
} from '@svc/contract';
import type { Session } from '../session.ts';
import type { Access } from './access.ts';
import type { Assembled } from './assemble.ts';
import type { Sent } from './send-rows.ts';

/** Whom an old address or code credits now. */
export type Verified = {
  kind: 'link' | 'coupon';
  /** What partners have published: an address, or what they append to one. */
  address: string;
  code: string;
  /** Whom it is to credit. */
  expected: string;
  /** Whom it credits; null for nobody, and where the service cannot tell. */
  credits: string | null;
  problem: string | null;
};

type Program = ReplyOf<typeof manageProgram>['data'];

const PAGE = 100;

/**
 * Follows every old code: from the code to its link as the service resolves it, and from there through the redirect, which says
 * whom it would credit. An address counts only where the program has its pages or links: what another host does with it is not
 * known here. HEAD requests leave no clicks, and nothing is written.
 */
export async function verifyAddresses(
  session: Session,
  { addresses, coupons }: Assembled,
  codes: Sent['codes'],
  program: Program,
  access: Access,
  onProgress: (count: number) => void,
): Promise<Verified[]> {
  const emails = new Map<number, string>();
  for await (const { id, email } of pages(session, managePartners, access)) emails.set(id, email);
  const owners = new Map<string, { partnerId: number; active: boolean }>();
  for await (const { short_link: shortLink, partner_id: partnerId, active } of pages(session, manageLinks, access)) {
    owners.set(shortLink, { partnerId, active });
  }
  const { data: domains } = await session.api.call(manageDomains, access);
  const linkHosts = domains.filter(({ status }) => status === 'active').map(({ host }) => host);
  const resolved = new Map(codes.map((each) => [each.code, each]));
  const verified: Verified[] = [];
  for (const { parameter, code, email, address } of addresses) {
    const found = resolved.get(code);
    const shortLink = found?.short_link ?? null;
    const owner = shortLink === null ? undefined : owners.get(shortLink);
    const foreignHost = address === undefined ? null : foreignHostIn(address, program, linkHosts);
    const credits = owner && foreignHost === null ? (emails.get(owner.partnerId) ?? null) : null;
    const problem = await problemWith(session, access.signal, {
      // The program reads `aff` without being told to, and lists only the others.
      isRead: parameter === 'aff' || program.link_parameters.includes(parameter),
      parameter,
      refused: found?.refused ?? null,
      isImported: owner !== undefined,
      foreignHost,
      shortLink,
      // A code that another program has is an alias, which the service finds with the id of the program.
      opened: shortLink === code ? code : `${code}~${program.id}`,
      active: owner?.active ?? false,
      credits,
      expected: email,
    });
    verified.push({
      kind: 'link',
      address: address ?? `?${parameter}=${code}`,
      code,
      expected: email,
      credits,
      problem,
    });
    onProgress(verified.length);
  }
  return [...verified, ...(await verifyCoupons(session, coupons, emails, access))];
}

type Facts = {
  isRead: boolean;
  parameter: string;
  refused: string | null;
  isImported: boolean;
  /** Where the address leads, if that is not a host of the program. */
  foreignHost: string | null;
  shortLink: string | null;
  /** The end of the short address to open. */
  opened: string;
  active: boolean;
  credits: string | null;
  expected: string;
};

async function problemWith(session: Session, signal: AbortSignal, facts: Facts): Promise<string | null> {
  const { shortLink, credits, expected, parameter } = facts;
  if (facts.refused) return facts.refused;
  if (shortLink === null || !facts.isImported) return 'it is not imported';
  if (facts.foreignHost !== null) return `it leads through ${facts.foreignHost}, which is not a host of this program`;
  if (credits === null) return 'it is not imported';
  if (credits.toLowerCase() !== expected.toLowerCase()) return `it credits ${credits}`;
  if (!facts.active) return 'its link is disabled';
  if (!facts.isRead) return `the program does not read ?${parameter}=: add it to its link_parameters`;
  return problemWithRedirect(session, facts.opened, shortLink, signal);
}

/** The host of an old address, unless the program has pages or links there. */
function foreignHostIn(address: string, program: Program, linkHosts: string[]): string | null {
  const text = /^[a-z]+:\/\//i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(text)) return address;
  const { host, hostname } = new URL(text);
  const site = withoutWww(program.domain);
  const isSite = hostname === site || hostname.endsWith(`.${site}`);
  const isAllowed = program.allowed_origins.some((origin) => URL.canParse(origin) && new URL(origin).host === host);
  return isSite || isAllowed || linkHosts.includes(hostname) ? null : host;
}

/** Whether visitors of a short address arrive with the `aff` of the link. A service that does not say so in time is asked again by the client. */
async function problemWithRedirect(
  { api }: Session,
  opened: string,
  shortLink: string,
  signal: AbortSignal,
): Promise<string | null> {
  const url = new URL(`${api.apiUrl}/r/${encodeURIComponent(opened)}`);
  const { status, headers } = await api.send(url, { method: 'HEAD', redirect: 'manual', signal });
  if (status === 429 || status >= 500) return `the service did not say where its redirect leads (${status})`;
  const location = headers.get('location');
  const aff = location && URL.canParse(location) ? new URL(location).searchParams.get('aff') : null;
  return aff === shortLink ? null : `its redirect credits ${aff ?? 'nobody'}`;
}

async function verifyCoupons(
  session: Session,
  coupons: Assembled['coupons'],
  emails: Map<number, string>,
  access: Access,
): Promise<Verified[]> {
  if (coupons.length === 0) return [];
  const owners = new Map<string, { partnerId: number; active: boolean }>();
  for await (const { code, partner_id: partnerId, active } of pages(session, manageCoupons, access)) {
    owners.set(keyOf(code), { partnerId, active });
  }
  return coupons.map(({ code, email }) => {
    const owner = owners.get(keyOf(code));
    const credits = owner ? (emails.get(owner.partnerId) ?? null) : null;
    const isRight = credits?.toLowerCase() === email.toLowerCase();
    const wrong = credits === null ? 'it is not imported' : isRight ? null : `it credits ${credits}`;
    const problem = wrong ?? (owner?.active ? null : 'the coupon is off');
    return { kind: 'coupon' as const, address: code, code, expected: email, credits, problem };
  });
}

/** Codes are compared like the service compares them. */
const keyOf = (code: string) => code.trim().normalize('NFKC').toLowerCase();

type Listed = typeof managePartners | typeof manageLinks | typeof manageCoupons;
type RowOf<Route extends Listed> = Route['reply']['_zod']['output']['data'][number];

/** Every row of a list. */
async function* pages<Route extends Listed>(
  { api }: Session,
  route: Route,
  { params, token, signal }: Access,
): AsyncGenerator<RowOf<Route>, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: PAGE, ...(cursor && { cursor }) };
    const { data, meta } = await api.call(route as typeof manageCoupons, { params, token, query, signal });
    yield* data as RowOf<Route>[];
    cursor = meta.next_cursor;
  }
}
