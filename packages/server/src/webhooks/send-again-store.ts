import type { Queryable } from '../db/db.ts';

/** The kept events that an endpoint wants. */
const WANTED = `from webhook_endpoints w
  join feed_events e on e.program_id = w.program_id and w.types && array[e.type, '*']
  where w.id = $1`;

/** Makes a delivery due again, from its first attempt on. Returns its endpoint; null if the program has no such delivery. */
export async function updateResent(
  db: Queryable,
  programId: number,
  deliveryId: number,
  now: Date,
): Promise<number | null> {
  const [resent] = await db.query<{ endpointId: number }>(
    `update webhook_deliveries d set status = 'pending', attempts = 0, due_at = $3 from webhook_endpoints w
     where d.id = $2 and w.id = d.endpoint_id and w.program_id = $1 returning w.id as "endpointId"`,
    [programId, deliveryId, now],
  );
  return resent?.endpointId ?? null;
}

/** Sends an endpoint what it wants of the events after one that it still got. Returns how many. */
export function insertMissedDeliveries(db: Queryable, endpointId: number, after: number, now: Date): Promise<number> {
  return sendAgain(db, endpointId, now, 'and e.sequence > $3', [after]);
}

/** What an endpoint would get if it were enabled: events since it was disabled, and deliveries from before. 0 while it is active. */
export async function countMissed(db: Queryable, endpointId: number): Promise<{ events: number; pending: number }> {
  const [missed] = await db.query<{ events: number; pending: number }>(
    `select (select count(*) ${WANTED} and w.status = 'disabled' and e.sequence > w.disabled_after) as events,
       (select count(*) from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
        where w.id = $1 and w.status = 'disabled' and d.status = 'pending') as pending`,
    [endpointId],
  );
  return missed!;
}

const inPeriod = (at: number) =>
  `and e.created_at >= $${at} and e.created_at < $${at + 1}
   and ($${at + 2}::text[] is null or $${at + 2} && array[e.type, '*'])`;

export type ReplayedPeriod = { from: Date; to: Date; types: string[] | undefined };

/** Sends an endpoint the events of a period again, of these types if they are given. Returns how many. */
export function insertReplayed(
  db: Queryable,
  endpointId: number,
  { from, to, types }: ReplayedPeriod,
  now: Date,
): Promise<number> {
  return sendAgain(db, endpointId, now, inPeriod(3), [from, to, types ?? null]);
}

/** How many events a replay of the period would send. */
export async function countReplayed(
  db: Queryable,
  endpointId: number,
  { from, to, types }: ReplayedPeriod,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*) as count ${WANTED} ${inPeriod(2)}`, [
    endpointId,
    from,
    to,
    types ?? null,
  ]);
  return row!.count;
}

/**
 * Sends the events that an endpoint wants and that the condition chooses, whose parameters begin with $3. What still waits for the
 * endpoint is sent now instead of twice, so that repeating it does not add up. Returns how many events these are.
 */
async function sendAgain(
  db: Queryable,
  endpointId: number,
  now: Date,
  condition: string,
  params: unknown[],
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `with chosen as materialized (
       select w.id as endpoint_id, e.event_id, e.sequence, e.type ${WANTED} ${condition}
     ), waiting as (
       update webhook_deliveries d set due_at = $2, attempts = 0 from chosen c
       where d.endpoint_id = c.endpoint_id and d.sequence = c.sequence and d.status = 'pending' returning d.sequence
     ), added as (
       insert into webhook_deliveries (endpoint_id, event_id, sequence, type, due_at, created_at)
       select endpoint_id, event_id, sequence, type, $2, $2 from chosen
       where sequence not in (select sequence from waiting) order by sequence
     )
     select count(*) as count from chosen`,
    [endpointId, now, ...params],
  );
  return row!.count;
}
