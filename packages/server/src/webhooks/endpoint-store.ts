import {
  type DISABLED_REASONS,
  type WebhookFormat,
  type WebhookRow,
  type WebhookTypes,
  webhookRow,
} from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { findRow, findRows, listSource } from '../db/lists/sorted-list.ts';
import { hostOf } from '../outbound/call-out.ts';
import { type Failing, LONGEST_SILENCE_MS } from './failing.ts';

const lastDelivery = (column: string) =>
  `(select d.${column} from webhook_deliveries d where d.endpoint_id = w.id order by d.id desc limit 1)`;

const ENDPOINTS = listSource<WebhookRow, never>({
  row: webhookRow,
  table: 'webhook_endpoints',
  as: 'w',
  columns: { last_delivery_at: lastDelivery('created_at'), last_delivery_status: lastDelivery('status') },
  computed: {},
  sorts: {},
});

export async function listEndpoints(db: Queryable, programId: number): Promise<WebhookRow[]> {
  return (await findRows(db, ENDPOINTS, { scope: [['w.program_id = ?', programId]], filters: [] })).reverse();
}

export function findEndpoint(db: Queryable, programId: number, endpointId: number): Promise<WebhookRow | null> {
  return findRow(db, ENDPOINTS, [['w.program_id = ? and w.id = ?', programId, endpointId]]);
}

export type NewEndpoint = {
  url: string;
  types: WebhookTypes;
  description: string | null;
  format: WebhookFormat;
  secretSealed: string;
};

/** Adds an endpoint unless the program has `max` of them; null then. The transaction has locked the program. */
export async function insertEndpoint(
  db: Queryable,
  programId: number,
  endpoint: NewEndpoint,
  max: number,
  now: Date,
): Promise<number | null> {
  const [row] = await db.query<{ id: number }>(
    `insert into webhook_endpoints (program_id, url, host, types, description, format, secret_sealed, created_at)
     select $1, $2, $3, $4::text[], $5, $6, $7, $8
     where (select count(*) from webhook_endpoints where program_id = $1) < $9 returning id`,
    [
      programId,
      endpoint.url,
      hostOf(endpoint.url),
      endpoint.types,
      endpoint.description,
      endpoint.format,
      endpoint.secretSealed,
      now,
      max,
    ],
  );
  return row?.id ?? null;
}

export type EndpointChanges = { url?: string; types?: WebhookTypes; description?: string | null };

/** What an endpoint is like when nothing has failed since something arrived. */
/** What an endpoint or postback is once something has arrived. */
export const IS_HEALTHY = 'failing_since = null, last_failed_at = null, failing_ms = 0';
/** What one is once something has failed at the time of a parameter. A silence counts only in part. */
export const hasFailedAt = (now: string) => `failing_since = coalesce(failing_since, ${now}),
  last_failed_at = greatest(last_failed_at, ${now}), failing_ms = failing_ms + coalesce(least(greatest(
    extract(epoch from ${now}::timestamptz - last_failed_at) * 1000, 0), ${LONGEST_SILENCE_MS}), 0)::bigint`;
const HEALTHY = `${IS_HEALTHY}, warned_at = null`;

/** Changes an endpoint. What failed at another address says nothing about the new one. */
export async function updateEndpoint(
  db: Queryable,
  programId: number,
  endpointId: number,
  { url, types, description }: EndpointChanges,
): Promise<boolean> {
  if (url !== undefined) {
    await db.query(`update webhook_endpoints set ${HEALTHY} where program_id = $1 and id = $2 and url <> $3`, [
      programId,
      endpointId,
      url,
    ]);
  }
  const rows = await db.query(
    `update webhook_endpoints set url = coalesce($3, url), host = coalesce($4, host),
       types = coalesce($5::text[], types), description = case when $6 then $7 else description end
     where program_id = $1 and id = $2 returning id`,
    [
      programId,
      endpointId,
      url ?? null,
      url === undefined ? null : hostOf(url),
      types ?? null,
      description !== undefined,
      description ?? null,
    ],
  );
  return rows.length > 0;
}

export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Disables active endpoints. They keep where they were in the feed, so that what they miss can be sent later. */
export async function updateDisabled(db: Queryable, endpointIds: number[], reason: DisabledReason): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `update webhook_endpoints w set status = 'disabled', disabled_reason = $2, disabled_after = coalesce(
       (select last_sequence from feed_sequences s where s.program_id = w.program_id), 0)
     where w.id = any ($1::bigint[]) and w.status = 'active' returning w.id`,
    [endpointIds, reason],
  );
  return rows.map(({ id }) => id);
}

export async function lockEndpoint(db: Queryable, programId: number, endpointId: number): Promise<void> {
  await db.query('select 1 from webhook_endpoints where program_id = $1 and id = $2 for no key update', [
    programId,
    endpointId,
  ]);
}

/** Enables a disabled endpoint, and returns after which event it had been disabled; null when it was not. */
export async function updateEnabled(db: Queryable, programId: number, endpointId: number): Promise<number | null> {
  const [row] = await db.query<{ after: number }>(
    `update webhook_endpoints w set status = 'active', disabled_reason = null, disabled_after = null, ${HEALTHY}
     from (select id, disabled_after from webhook_endpoints where program_id = $1 and id = $2 for update) was
     where w.id = was.id and w.status = 'disabled' returning was.disabled_after as after`,
    [programId, endpointId],
  );
  return row?.after ?? null;
}

/**
 * Deletes an endpoint with its deliveries. Those go first: there can be many, and a worker that stores what became of one locks the
 * endpoint after it.
 */
export async function deleteEndpoint(db: Queryable, programId: number, endpointId: number): Promise<WebhookRow | null> {
  const row = await findEndpoint(db, programId, endpointId);
  if (!row) return null;
  await db.query('delete from webhook_deliveries where endpoint_id = $1', [endpointId]);
  await db.query('delete from webhook_endpoints where program_id = $1 and id = $2', [programId, endpointId]);
  return row;
}

/** Gives an endpoint another secret. The one before still signs until `until`. */
export async function updateSecret(
  db: Queryable,
  programId: number,
  endpointId: number,
  secretSealed: string,
  until: Date,
): Promise<boolean> {
  const rows = await db.query(
    `update webhook_endpoints set old_secret_sealed = secret_sealed, old_secret_until = $4, secret_sealed = $3
     where program_id = $1 and id = $2 returning id`,
    [programId, endpointId, secretSealed, until],
  );
  return rows.length > 0;
}

/** Notes that something arrived at these endpoints, or that something failed at others. */
export async function updateHealth(db: Queryable, arrived: number[], failed: number[], now: Date): Promise<void> {
  await db.query(
    `update webhook_endpoints set ${HEALTHY} where id = any ($1::bigint[]) and failing_since is not null`,
    [arrived],
  );
  await db.query(`update webhook_endpoints set ${hasFailedAt('$2')} where id = any ($1::bigint[])`, [failed, now]);
}

export type FailingEndpoint = Failing & { id: number };

const FAILING = `
  select id, failing_since as "failingSince", failing_ms as "failingMs", warned_at as "warnedAt"
  from webhook_endpoints where status = 'active' and failing_since is not null`;

/** The active endpoints at which nothing has arrived since something failed. */
export function listFailingEndpoints(db: Queryable): Promise<FailingEndpoint[]> {
  return db.query<FailingEndpoint>(`${FAILING} order by id`, []);
}

/** Locks an endpoint; null if it is no longer active, or something has arrived. */
export async function findFailingForUpdate(db: Queryable, endpointId: number): Promise<FailingEndpoint | null> {
  const [endpoint] = await db.query<FailingEndpoint>(`${FAILING} and id = $1 for update`, [endpointId]);
  return endpoint ?? null;
}

export async function updateWarned(db: Queryable, endpointId: number, now: Date): Promise<void> {
  await db.query('update webhook_endpoints set warned_at = $2 where id = $1', [endpointId, now]);
}

/** What owners are told about an endpoint. */
export type ToldEndpoint = {
  id: number;
  programId: number;
  url: string;
  failingSince: Date | null;
  /** The sentence about what failed last. */
  lastError: string | null;
};

export function listToldEndpoints(db: Queryable, endpointIds: number[]): Promise<ToldEndpoint[]> {
  return db.query<ToldEndpoint>(
    `select w.id, w.program_id as "programId", w.url, w.failing_since as "failingSince", (
       select d.last_error from webhook_deliveries d
       where d.endpoint_id = w.id and d.last_error is not null and d.status <> 'delivered'
       order by d.id desc limit 1) as "lastError"
     from webhook_endpoints w where w.id = any ($1::bigint[]) order by w.id`,
    [endpointIds],
  );
}
