import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** What a test of the project may take, less the time to say what did not happen. */
const AS_LONG_AS_A_TEST_MS = process.env.SVC_TEST_STORE === 'postgres' ? 115_000 : 25_000;

/** Polls until the value satisfies the condition or the test is nearly over, and returns the last value either way. */
export async function eventually<Value>(
  poll: () => Promise<Value> | Value,
  satisfies: (value: Value) => boolean,
  withinMs = AS_LONG_AS_A_TEST_MS,
): Promise<Value> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const value = await poll();
    if (satisfies(value) || performance.now() > giveUpAt) return value;
    await sleep(POLL_MS);
  }
}
