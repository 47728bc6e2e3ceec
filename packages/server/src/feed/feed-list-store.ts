import type { FeedEvent, FeedEventType } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { andFilters, type Condition } from '../db/lists/list-query.ts';
import { STORED_EVENT } from './feed-store.ts';
import { renderEvent, type StoredEvent } from './render-event.ts';

export type FeedFilter = {
  types?: FeedEventType[] | undefined;
  sequence?: number | undefined;
  /** Only events with a smaller number. */
  before?: number | undefined;
};

/** The kept events of a program, newest first. */
export async function listNewestFeedEvents(
  db: Queryable,
  programId: number,
  { types, sequence, before }: FeedFilter,
  limit: number,
): Promise<FeedEvent[]> {
  const params: unknown[] = [programId];
  const filters: Condition[] = [
    ['e.sequence = ?', sequence],
    ['e.sequence < ?', before],
  ];
  const chosen = andFilters(filters, params);
  const ofTypes = types ? ` and e.type = any ($${params.push(types)}::text[])` : '';
  const rows = await db.query<StoredEvent>(
    `select ${STORED_EVENT} from feed_events e where e.program_id = $1${chosen}${ofTypes}
     order by e.sequence desc limit $${params.push(limit)}`,
    params,
  );
  return rows.map(renderEvent);
}
