import type { BrowserContext, Page } from 'playwright-core';

declare global {
  interface Window {
    heldTimers: { ms: number; run: () => void }[];
  }
}

const LONG_MS = 1000;
/** How long a page waits for a signup; not a retry. */
const SIGNUP_MS = 3000;

/**
 * Holds long timers of pages opened from now on, so that tests can check their length and run them. The time of signups never
 * runs out.
 */
export async function holdTimers(context: BrowserContext): Promise<void> {
  await context.addInitScript(
    ([longMs, signupMs]) => {
      window.heldTimers = [];
      const setTimer = window.setTimeout;
      window.setTimeout = ((run: () => void, ms = 0) => {
        if (ms < longMs) return setTimer(run, ms);
        return ms === signupMs ? 0 : window.heldTimers.push({ ms, run });
      }) as typeof window.setTimeout;
    },
    [LONG_MS, SIGNUP_MS] as const,
  );
}

/** Waits until the page has set a long timer, and returns its length in seconds. */
export async function nextTimer(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => window.heldTimers[0]?.ms);
  return Number(await handle.jsonValue()) / 1000;
}

/** Runs the oldest held timer. */
export async function runTimer(page: Page): Promise<void> {
  await page.evaluate(() => window.heldTimers.shift()?.run());
}
