import { type DeliveryOfEvent, type DeliveryRow, type DeliveryStatus, deliveryRow } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { Condition } from '../db/lists/list-query.ts';
import { findRow, findRows, listSource, timesAsText } from '../db/lists/sorted-list.ts';
import { eventIdOf } from '../feed/render-event.ts';

/** An event that was replayed more often than this has older deliveries on the pages of its endpoints. */
const MAX_OF_EVENT = 100;

const DELIVERY_SOURCE = listSource<DeliveryRow, 'created_at', never, 'event_id', { eventId: string }>({
  row: deliveryRow,
  table: 'webhook_deliveries',
  as: 'd',
  joins: 'join webhook_endpoints w on w.id = d.endpoint_id',
  columns: { next_attempt_at: 'd.due_at', eventId: 'd.event_id' },
  computed: { event_id: ({ eventId }) => eventIdOf(eventId) },
  sorts: { created_at: 'time' },
});

const inEndpoint = (programId: number, endpointId: number): Condition[] => [
  ['w.program_id = ? and d.endpoint_id = ?', programId, endpointId],
];

/** The deliveries of an endpoint before `before`, newest first. */
export function listDeliveries(
  db: Queryable,
  { programId, endpointId }: { programId: number; endpointId: number },
  filter: { status?: DeliveryStatus | undefined; sequence?: number | undefined; before?: number | undefined },
  limit: number,
): Promise<DeliveryRow[]> {
  const filters: Condition[] = [
    ['d.status = ?', filter.status],
    ['d.sequence = ?', filter.sequence],
    ['d.id < ?', filter.before],
  ];
  return findRows(db, DELIVERY_SOURCE, { scope: inEndpoint(programId, endpointId), filters }, limit);
}

export function findDelivery(
  db: Queryable,
  programId: number,
  endpointId: number,
  deliveryId: number,
): Promise<DeliveryRow | null> {
  return findRow(db, DELIVERY_SOURCE, [...inEndpoint(programId, endpointId), ['d.id = ?', deliveryId]]);
}

/** The deliveries of an event to all endpoints of the program, newest first. */
export async function listDeliveriesOfEvent(
  db: Queryable,
  programId: number,
  sequence: number,
): Promise<DeliveryOfEvent[]> {
  const rows = await db.query(
    `select d.id, d.status, d.attempts, d.last_status, d.last_error, d.due_at as next_attempt_at, d.created_at,
       w.id as webhook_id, w.url as webhook_url
     from webhook_endpoints w join webhook_deliveries d on d.endpoint_id = w.id and d.sequence = $2
     where w.program_id = $1 order by d.id desc limit $3`,
    [programId, sequence, MAX_OF_EVENT],
  );
  return rows.map((row) => timesAsText<DeliveryOfEvent>(row));
}
