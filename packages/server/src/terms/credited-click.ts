import type { MembershipStatus } from '@svc/contract';

/** A click that was reported under the id of a visitor. */
export type VisitorClick = {
  clickedAt: Date;
  linkId: number | null;
  partnerId: number | null;
  membershipId: number | null;
  membershipStatus: MembershipStatus | null;
  sub: string | null;
  userAgent: string | null;
  /** Whether the visitor is the partner of the link. */
  isOwn: boolean;
};

/** Whose click is credited. Null: the first one. `doubt` says why later ones do not count. */
export type LastClick = { click: VisitorClick | null; doubt: 'several_browsers' | 'too_many_clicks' | null };

/** More clicks than a person makes before they sign up or buy. */
export const MAX_VISITOR_CLICKS = 200;

/**
 * The last click that counts, of the clicks of a visitor until their first conversion, oldest first. It is live if its partner is
 * active and is not the visitor. The id of a visitor is in the cookie of one browser. If several browsers used it, or one used it
 * like a machine, another party knows it, and it no longer proves who clicked: then only the first click counts, which made the id.
 */
export function lastClickOf(clicks: VisitorClick[], firstAt: Date): LastClick {
  const hasLater = clicks.some(({ clickedAt }) => clickedAt > firstAt);
  if (hasLater && clicks.length > MAX_VISITOR_CLICKS) return { click: null, doubt: 'too_many_clicks' };
  if (hasLater && new Set(clicks.map(browserOf)).size > 1) return { click: null, doubt: 'several_browsers' };
  const last = clicks.findLast(({ membershipStatus, isOwn }) => membershipStatus === 'active' && !isOwn);
  return { click: last && last.clickedAt > firstAt ? last : null, doubt: null };
}

/** The browser without its version, which changes with every update. */
const browserOf = ({ userAgent }: VisitorClick) => userAgent?.replace(/[\d._]+/g, '') ?? '';

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const DOUBTS = {
  several_browsers: 'Later clicks do not count, because they came from several browsers.',
  too_many_clicks: 'Later clicks do not count, because there were too many of them.',
};

/** Which click the facts of a decision say was credited, in words; null if it was the first one by the rule. */
export function describeAttribution(facts: Record<string, unknown>): string | null {
  const { attribution, clicked_at: first, credited_click_at: credited, later_clicks: doubt } = facts;
  if (attribution !== 'last' || typeof first !== 'string') return null;
  const firstDay = DAY.format(new Date(first));
  if (typeof credited === 'string') {
    return `Credited by the last click, of ${DAY.format(new Date(credited))} UTC. The first click was on ${firstDay} UTC.`;
  }
  const reason = typeof doubt === 'string' ? ` ${DOUBTS[doubt as keyof typeof DOUBTS]}` : '';
  return `Credited by the last click that counts, which was the first one, of ${firstDay} UTC.${reason}`;
}
