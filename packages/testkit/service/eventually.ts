import { setTimeout as sleep } from 'node:timers/promises';
import { AS_LONG_AS_A_TEST_MS } from '../src/as-long-as-a-test.ts';

const FIRST_POLL_MS = 20;
const LONGEST_POLL_MS = 200;
/** Most of what tests wait for happens at once. What takes longer is looked at less and less often. */
const SLOWER = 1.1;

/** Polls until the value satisfies the condition or the test is nearly over, and returns the last value either way. */
export async function eventually<Value>(
  poll: () => Promise<Value> | Value,
  satisfies: (value: Value) => boolean,
  withinMs = AS_LONG_AS_A_TEST_MS,
): Promise<Value> {
  const giveUpAt = performance.now() + withinMs;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(LONGEST_POLL_MS, pollMs * SLOWER)) {
    const value = await poll();
    if (satisfies(value) || performance.now() > giveUpAt) return value;
    await sleep(pollMs);
  }
}
