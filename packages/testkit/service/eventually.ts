import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Polls until the value satisfies the condition, for a few seconds at most, and returns the last value either way. */
export async function eventually<Value>(
  poll: () => Promise<Value> | Value,
  satisfies: (value: Value) => boolean,
  withinMs = 5_000,
): Promise<Value> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const value = await poll();
    if (satisfies(value) || performance.now() > giveUpAt) return value;
    await sleep(POLL_MS);
  }
}
