import type { ExpectedEvents } from '../processors/processor.ts';
import type { SeenType } from './event-type-store.ts';

/** A type that has arrived: how many events, and how many of them are tests. */
export type SeenEvents = { type: string; events: number; tests: number; lastAt: Date };

/** What a processor has sent, by type, the last one first. */
export function summarizeSeen(seen: SeenType[]): SeenEvents[] {
  const byType = new Map<string, SeenEvents>();
  for (const { type, isLive, events, lastAt } of seen) {
    const sum = byType.get(type) ?? { type, events: 0, tests: 0, lastAt };
    const isLater = lastAt > sum.lastAt;
    byType.set(type, {
      type,
      events: sum.events + events,
      tests: sum.tests + (isLive ? 0 : events),
      lastAt: isLater ? lastAt : sum.lastAt,
    });
  }
  return [...byType.values()];
}

/** Whether all that has arrived are tests, so that nothing counts yet. */
export function areOnlyTests(seen: SeenType[], isSandbox: boolean): boolean {
  return !isSandbox && seen.length > 0 && seen.every(({ isLive }) => !isLive);
}

/**
 * The events that should have arrived by now, with how many others did. Only events that count are looked at: an endpoint for tests
 * has a list of events of its own.
 */
export function findMissing(
  expects: ExpectedEvents[],
  seen: SeenType[],
  isSandbox: boolean,
): (ExpectedEvents & { seen: number })[] {
  const counting = seen.filter(({ isLive }) => isLive || isSandbox);
  const countOf = (types: string[]) =>
    counting.filter(({ type }) => types.includes(type)).reduce((sum, { events }) => sum + events, 0);
  return expects
    .map((expected) => ({ ...expected, seen: countOf(expected.after) }))
    .filter(({ events, count, seen: others }) => others >= count && countOf(events) === 0);
}
