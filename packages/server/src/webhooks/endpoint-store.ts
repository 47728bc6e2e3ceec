import {
  type DISABLED_REASONS,
  type WebhookFormat,
  type WebhookRow,
  type WebhookTypes,
  webhookRow,
} from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { findRow, findRows, listSource } from '../db/lists/sorted-list.ts';

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
    `insert into webhook_endpoints (program_id, url, origin, types, description, format, secret_sealed, created_at)
     select $1, $2, $3, $4::text[], $5, $6, $7, $8
     where (select count(*) from webhook_endpoints where program_id = $1) < $9 returning id`,
    [
      programId,
      endpoint.url,
      new URL(endpoint.url).origin,
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

export async function updateEndpoint(
  db: Queryable,
  programId: number,
  endpointId: number,
  { url, types, description }: EndpointChanges,
): Promise<boolean> {
  const rows = await db.query(
    `update webhook_endpoints set url = coalesce($3, url), origin = coalesce($4, origin),
       types = coalesce($5::text[], types), description = case when $6 then $7 else description end
     where program_id = $1 and id = $2 returning id`,
    [
      programId,
      endpointId,
      url ?? null,
      url === undefined ? null : new URL(url).origin,
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

/** Enables a disabled endpoint, and returns after which event it had been disabled; null when it was not. */
export async function updateEnabled(db: Queryable, programId: number, endpointId: number): Promise<number | null> {
  const [row] = await db.query<{ after: number }>(
    `update webhook_endpoints w set status = 'active', disabled_reason = null, disabled_after = null, failing_since = null,
       warned_at = null
     from (select id, disabled_after from webhook_endpoints where program_id = $1 and id = $2 for update) was
     where w.id = was.id and w.status = 'disabled' returning was.disabled_after as after`,
    [programId, endpointId],
  );
  return row?.after ?? null;
}

export async function deleteEndpoint(db: Queryable, programId: number, endpointId: number): Promise<WebhookRow | null> {
  const row = await findEndpoint(db, programId, endpointId);
  if (row) await db.query('delete from webhook_endpoints where program_id = $1 and id = $2', [programId, endpointId]);
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
    `update webhook_endpoints set failing_since = null, warned_at = null
     where id = any ($1::bigint[]) and failing_since is not null`,
    [arrived],
  );
  await db.query(
    `update webhook_endpoints set failing_since = $2 where id = any ($1::bigint[]) and failing_since is null`,
    [failed, now],
  );
}

export type FailingEndpoint = { id: number; programId: number; url: string; failingSince: Date; warnedAt: Date | null };

/** Locks the active endpoints at which nothing has arrived since a time. */
export function listFailingEndpoints(db: Queryable, since: Date): Promise<FailingEndpoint[]> {
  return db.query<FailingEndpoint>(
    `select id, program_id as "programId", url, failing_since as "failingSince", warned_at as "warnedAt"
     from webhook_endpoints where status = 'active' and failing_since <= $1 order by id for update`,
    [since],
  );
}

export async function updateWarned(db: Queryable, endpointIds: number[], now: Date): Promise<void> {
  await db.query('update webhook_endpoints set warned_at = $2 where id = any ($1::bigint[])', [endpointIds, now]);
}
