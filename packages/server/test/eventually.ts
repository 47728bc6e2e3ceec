import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Asks again and again until the answer satisfies, for a few seconds at most; returns the last answer either way. */
export async function eventually<Value>(
  ask: () => Promise<Value> | Value,
  satisfies: (value: Value) => boolean,
  withinMs = 5_000,
): Promise<Value> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (satisfies(value) || performance.now() > giveUpAt) return value;
    await sleep(POLL_MS);
  }
}
