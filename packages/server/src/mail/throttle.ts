/** The share of the time that mail may keep the store busy is one in so many. */
const REST_PER_WORK = 30;
const SHORTEST_REST_MS = 20;
const LONGEST_REST_MS = 1_000;

/**
 * How long to rest after a mail that kept the store busy for `storeMs`. The store takes longer while clicks and sales are
 * being written, so a long queue slows down by itself: dozens of mails a second on an idle service, two or three under load.
 */
export function restAfterMailMs(storeMs: number): number {
  return Math.min(Math.max(REST_PER_WORK * storeMs, SHORTEST_REST_MS), LONGEST_REST_MS);
}
