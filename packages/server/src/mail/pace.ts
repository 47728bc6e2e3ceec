/** The share of the time that mail may keep the store busy is one in so many. */
const REST_PER_CLAIM = 20;
const SHORTEST_REST_MS = 20;
const LONGEST_REST_MS = 500;

/**
 * How long to rest after a mail. Claims take longer while clicks and sales are being written, so a long queue slows down
 * by itself: dozens of mails a second on an idle service, a few under load. What the mail server takes does not count.
 */
export function restAfterClaimMs(claimMs: number): number {
  return Math.min(Math.max(REST_PER_CLAIM * claimMs, SHORTEST_REST_MS), LONGEST_REST_MS);
}
