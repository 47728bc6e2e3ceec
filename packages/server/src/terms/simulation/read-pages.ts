import type { EventPage, PageStart } from './event-page.ts';
import type { SimulatedEvent } from './simulated-event.ts';

/** Between pages, other requests have their turn. */
const PAGE = 2_500;

/** Reads events page by page. The store reads the next page while the caller works on one. */
export async function* readPages(
  list: (after: PageStart, limit: number) => Promise<EventPage>,
  { from }: { from: Date },
): AsyncGenerator<SimulatedEvent[]> {
  let page = await list({ at: from.toISOString(), id: 0 }, PAGE);
  while (page.next) {
    const next = list(page.next, PAGE);
    // If the caller fails, nobody waits for the next page.
    next.catch(() => undefined);
    yield page.events;
    page = await next;
  }
}

/** Merges two readers into one that follows time. Of two events at the same time, that of the first reader comes first. */
export async function* mergeByTime(
  first: AsyncGenerator<SimulatedEvent[]>,
  second: AsyncGenerator<SimulatedEvent[]>,
): AsyncGenerator<SimulatedEvent[]> {
  const next = async (reader: AsyncGenerator<SimulatedEvent[]>) =>
    (await reader.next()).value as SimulatedEvent[] | undefined;
  let [one, other] = [await next(first), await next(second)];
  while (one && other) {
    const merged: SimulatedEvent[] = [];
    let [i, j] = [0, 0];
    while (i < one.length && j < other.length) {
      merged.push(other[j]!.at < one[i]!.at ? other[j++]! : one[i++]!);
    }
    yield merged;
    one = i < one.length ? one.slice(i) : await next(first);
    other = j < other.length ? other.slice(j) : await next(second);
  }
  if (one) yield one;
  if (other) yield other;
  yield* first;
  yield* second;
}
