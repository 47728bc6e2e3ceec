import { manageCoupons, manageLinks, managePartners } from '@svc/contract';
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
  /** Whom it credits. */
  credits: string | null;
  problem: string | null;
};

const PAGE = 100;

/**
 * Follows every old code: from the code to its link as the service resolves it, and from there through the redirect, which says
 * whom it would credit. HEAD requests leave no clicks, and nothing is written.
 */
export async function verifyAddresses(
  session: Session,
  { addresses, coupons }: Assembled,
  codes: Sent['codes'],
  linkParameters: string[],
  access: Access,
  onProgress: (count: number) => void,
): Promise<Verified[]> {
  const emails = new Map<number, string>();
  for await (const { id, email } of pages(session, managePartners, access)) emails.set(id, email);
  const owners = new Map<string, { partnerId: number; active: boolean }>();
  for await (const { short_link: shortLink, partner_id: partnerId, active } of pages(session, manageLinks, access)) {
    owners.set(shortLink, { partnerId, active });
  }
  const resolved = new Map(codes.map((each) => [each.code, each]));
  const verified: Verified[] = [];
  for (const { parameter, code, email, address } of addresses) {
    const found = resolved.get(code);
    const shortLink = found?.short_link ?? null;
    const owner = shortLink === null ? undefined : owners.get(shortLink);
    const credits = owner ? (emails.get(owner.partnerId) ?? null) : null;
    const problem = await problemWith(session, access.signal, {
      isRead: linkParameters.includes(parameter),
      parameter,
      refused: found?.refused ?? null,
      shortLink,
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
  shortLink: string | null;
  active: boolean;
  credits: string | null;
  expected: string;
};

async function problemWith(session: Session, signal: AbortSignal, facts: Facts): Promise<string | null> {
  const { shortLink, credits, expected, parameter } = facts;
  if (facts.refused) return facts.refused;
  if (shortLink === null || credits === null) return 'it is not imported';
  if (credits.toLowerCase() !== expected.toLowerCase()) return `it credits ${credits}`;
  if (!facts.active) return 'its link is disabled';
  if (!facts.isRead) return `the program does not read ?${parameter}=: add it to its link_parameters`;
  const aff = await redirectedWith(session, shortLink, signal);
  return aff === shortLink ? null : `its redirect credits ${aff ?? 'nobody'}`;
}

/** The value of `aff` that visitors of a short link arrive with; null without one. */
async function redirectedWith({ api }: Session, shortLink: string, signal: AbortSignal): Promise<string | null> {
  const url = new URL(`${api.apiUrl}/r/${encodeURIComponent(shortLink)}`);
  const response = await api.send(url, { method: 'HEAD', redirect: 'manual', signal });
  const location = response.headers.get('location');
  return location && URL.canParse(location) ? new URL(location).searchParams.get('aff') : null;
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
