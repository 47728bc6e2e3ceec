/** After this many failed attempts, about three days, the job gives up and leaves the commission to an operator. */
export const MAX_REPAIR_ATTEMPTS = 15;

const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 12 * 3_600_000;

/** When a repair is retried after its `attempts` failed: with exponential backoff, up to 12 hours. Null: it is not. */
export function nextRepairAt(attempts: number, now: Date): Date | null {
  if (attempts >= MAX_REPAIR_ATTEMPTS) return null;
  return new Date(now.getTime() + Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS));
}
