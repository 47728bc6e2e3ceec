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
    // If the caller fails, nobody waits for the next page anymore.
    next.catch(() => undefined);
    yield page.events;
    page = await next;
  }
}
