import type { MembershipStatus } from '@svc/contract';
import { isOriginAllowed } from '../../programs/origins.ts';
import type { Program } from '../../programs/program.ts';

/** What recording a click, and following the link, needs to know about it. */
export type Link = {
  id: number;
  shortLink: string;
  /** Null for the start page of the program's site. */
  destinationUrl: string | null;
  /** Deleted links count no clicks, but visitors still reach the page. */
  isDeleted: boolean;
  active: boolean;
  isTest: boolean;
  programId: number | null;
  partnerId: number | null;
  membershipId: number | null;
  membershipStatus: MembershipStatus | null;
};

/**
 * A link counts clicks while it is active, its partner is an active member of the program, and the program is not paused or
 * archived. Test chains work in any program.
 */
export function isLinkLive(link: Link, program: Pick<Program, 'status'>): boolean {
  const isProgramLive = program.status === 'active' || link.isTest;
  return link.active && link.membershipStatus === 'active' && isProgramLive;
}

/**
 * Where a link leads, as the address that browsers open: a path is on the program's own site. Null when it leads to a site that
 * the brand does not allow, because visitors trust a link as the brand's.
 */
export function destinationOf(program: Pick<Program, 'domain' | 'allowedOrigins'>, given: string): string | null {
  // With a base, `https:evil.test` would be a path of the base's site. Without one, as in a visitor's browser, it is a site.
  const url = given.startsWith('/') ? new URL(given, `https://${program.domain}`) : new URL(given);
  return isOriginAllowed(program, url.origin) ? url.href : null;
}

/** The address that partners share: the destination, or the start page of the program's site, with the short link. */
export function linkUrl(link: { domain: string; destination_url: string | null; short_link: string }): string {
  const url = new URL(link.destination_url ?? `https://${link.domain}/`);
  url.searchParams.set('aff', link.short_link);
  return url.href;
}
