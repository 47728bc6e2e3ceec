const DAY_MS = 86_400_000;

export type WindowFacts = { clickedAt: Date; signedUpAt: Date | null; paidAt: Date; windowDays: number };

/** A click counts if it is at most `windowDays` older than the signup, or than the payment if there was no signup. */
export function isWithinWindow(facts: WindowFacts): boolean {
  return clickAgeMs(facts) <= facts.windowDays * DAY_MS;
}

/** The click age compared with the window, rounded up to hundredths so that an expired one never looks valid. */
export function clickAgeDays(facts: WindowFacts): number {
  return Math.ceil((clickAgeMs(facts) / DAY_MS) * 100) / 100;
}

function clickAgeMs({ clickedAt, signedUpAt, paidAt }: WindowFacts): number {
  return (signedUpAt ?? paidAt).getTime() - clickedAt.getTime();
}
