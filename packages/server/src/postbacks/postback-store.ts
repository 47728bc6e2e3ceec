import { type PostbackMethod, type PostbackRow, postbackRow } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { findRow, listSource } from '../db/lists/sorted-list.ts';
import { hostOf } from '../outbound/call-out.ts';
import { hasFailedAt, IS_HEALTHY } from '../webhooks/endpoint-store.ts';

/** The partner in a program, and the account that the partner belongs to. */
export type PostbackOwner = { programId: number; partnerId: number; userId: string };

/** Postbacks that are called. One that another account set up before the partner was handed over is not. */
export const ALIVE = `b.status = 'active' and exists (
  select from partners p join users u on u.id = p.user_id
  where p.id = b.partner_id and p.user_id = b.user_id and u.suspended_at is null)`;

const POSTBACKS = listSource<PostbackRow, never>({
  row: postbackRow,
  table: 'postbacks',
  as: 'b',
  columns: {},
  computed: {},
  sorts: {},
});

export function findPostback(
  db: Queryable,
  { programId, partnerId, userId }: PostbackOwner,
): Promise<PostbackRow | null> {
  return findRow(db, POSTBACKS, [
    ['b.program_id = ? and b.partner_id = ? and b.user_id = ?', programId, partnerId, userId],
  ]);
}

export type NewPostback = { method: PostbackMethod; url: string; status: 'active' | 'disabled' };

/** Stores the only postback of a partner in a program. One that another account had set up is deleted, with its calls. */
export async function upsertPostback(
  db: Queryable,
  { programId, partnerId, userId }: PostbackOwner,
  { method, url, status }: NewPostback,
  now: Date,
): Promise<void> {
  await db.query('delete from postbacks where program_id = $1 and partner_id = $2 and user_id <> $3', [
    programId,
    partnerId,
    userId,
  ]);
  await db.query(
    `insert into postbacks (program_id, partner_id, user_id, method, url, host, status, disabled_reason, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, case when $7 = 'disabled' then 'person' end, $8)
     on conflict (program_id, partner_id) do update set method = excluded.method, url = excluded.url,
       host = excluded.host, status = excluded.status, disabled_reason = excluded.disabled_reason, ${IS_HEALTHY}`,
    [programId, partnerId, userId, method, url, hostOf(url), status, now],
  );
}

export async function deletePostback(
  db: Queryable,
  { programId, partnerId, userId }: PostbackOwner,
): Promise<Pick<PostbackRow, 'method' | 'status'> | null> {
  const [row] = await db.query<Pick<PostbackRow, 'method' | 'status'>>(
    'delete from postbacks where program_id = $1 and partner_id = $2 and user_id = $3 returning method, status',
    [programId, partnerId, userId],
  );
  return row ?? null;
}

/** Notes that something arrived at these postbacks, or that something failed at others. */
export async function updateHealth(db: Queryable, arrived: number[], failed: number[], now: Date): Promise<void> {
  await db.query(`update postbacks set ${IS_HEALTHY} where id = any ($1::bigint[]) and failing_since is not null`, [
    arrived,
  ]);
  await db.query(`update postbacks set ${hasFailedAt('$2')} where id = any ($1::bigint[])`, [failed, now]);
}

export type DisabledPostback = { id: number; programId: number; partnerId: number };

/** Disables active postbacks that have failed for at least this long, and returns them. */
export function updateDisabled(
  db: Queryable,
  postbackIds: number[],
  reason: 'gone' | 'failing',
  failingMs: number,
): Promise<DisabledPostback[]> {
  return db.query<DisabledPostback>(
    `update postbacks set status = 'disabled', disabled_reason = $2
     where id = any ($1::bigint[]) and status = 'active' and failing_ms >= $3
     returning id, program_id as "programId", partner_id as "partnerId"`,
    [postbackIds, reason, failingMs],
  );
}
