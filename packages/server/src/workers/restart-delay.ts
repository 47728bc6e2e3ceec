/** A worker that lived this long did not end because of its start. */
const LONG_LIFE_MS = 60_000;
/** How often in a row a worker that ends soon is started again at once: one that is killed is not one that cannot start. */
const AT_ONCE = 3;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** How often a worker has ended soon after its start, with this time. */
export function countEarlyEnds(before: number, livedMs: number): number {
  return livedMs >= LONG_LIFE_MS ? 1 : before + 1;
}

/** How long to wait before the worker is started again: not at all the first times, then longer and longer. */
export function restartDelay(earlyEnds: number): number {
  return earlyEnds <= AT_ONCE ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (earlyEnds - AT_ONCE - 1));
}
