import type { MailKind } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { deleteCountsOf } from './mail-count-store.ts';

export type NewMailRow = {
  kind: MailKind;
  cause: string;
  user_id: string | null;
  address: string | null;
  program_id: number | null;
  advertiser_id: number | null;
  content_sealed: string;
  priority: number;
  due_at: Date;
  expires_at: Date;
  created_at: Date;
};

const COLUMNS =
  'kind, cause, user_id, address, program_id, advertiser_id, content_sealed, priority, due_at, expires_at, created_at';

export type InsertedMail = { id: number; kind: MailKind; cause: string };

/** Queues mails, each only if its cause has no mail yet, and returns the new ones. */
export async function insertMails(db: Queryable, rows: NewMailRow[]): Promise<InsertedMail[]> {
  if (rows.length === 0) return [];
  // In the order of their causes, so that two nodes that queue the same ones do not deadlock.
  return db.query<InsertedMail>(
    `insert into mails (${COLUMNS}) select ${COLUMNS} from json_populate_recordset(null::mails, $1::json)
     order by kind, cause on conflict (kind, cause) do nothing returning id, kind, cause`,
    [JSON.stringify(rows)],
  );
}

export async function deleteMails(db: Queryable, ids: number[]): Promise<void> {
  await db.query('delete from mails where id = any ($1::bigint[])', [ids]);
}

/** How many mails are waiting, counted up to the limit. */
export async function countWaitingMails(db: Queryable, limit: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from (select 1 from mails where state = 'waiting' limit $1) waiting`,
    [limit],
  );
  return row?.count ?? 0;
}

export type DueMail = {
  id: number;
  kind: MailKind;
  userId: string | null;
  programId: number | null;
  contentSealed: string;
  messageKey: string;
  attempts: number;
  expiresAt: Date;
  recipient: Recipient;
  /** In whose name it is sent: the program's, or else the workspace's; null for the service's own. */
  brand: Brand | null;
};

/** Where a mail goes now: to the address that the account has, or to the one that it was queued for. */
export type Recipient = {
  /** Null when the account is gone. */
  address: string | null;
  isVerified: boolean;
  isSuspended: boolean;
  /** Whether the person has switched this kind off. */
  isUnwanted: boolean;
  /** Whether a mail server has refused the address for good. */
  isUndeliverable: boolean;
};

export type Brand = { name: string; color: string | null };

/** How long a node may take to send a mail before another one may claim it. Longer than any attempt. */
const LEASE_SECONDS = 120;

/**
 * Claims the next mail that is due, with all that is needed to send it. While a node holds it, no other node gets it. The
 * claim does not wait for the disk, which clicks need: a claim that is lost with the database server only leaves the mail due.
 */
export async function claimDueMail(db: Queryable, now: Date): Promise<DueMail | null> {
  const [mail] = await db.query<DueMail>(
    `with unflushed as materialized (
       select set_config('synchronous_commit', 'off', true)
     ), due as (
       select id from mails where state = 'waiting' and due_at <= $1
       order by priority, due_at limit 1 for update skip locked
     ), claimed as (
       update mails m set attempts = attempts + 1, claimed_at = $1, due_at = $1::timestamptz + $2 * interval '1 second'
       from due where m.id = due.id returning m.*
     )
     select m.id, m.kind, m.user_id as "userId", m.program_id as "programId", m.content_sealed as "contentSealed",
       m.message_key as "messageKey", m.attempts, m.expires_at as "expiresAt",
       json_build_object('address', t.address, 'isVerified', coalesce(u.email_verified, false),
         'isSuspended', u.suspended_at is not null,
         'isUnwanted', exists (select 1 from mail_preferences p where p.user_id = m.user_id and p.kind = m.kind),
         'isUndeliverable', exists (select 1 from undeliverable_addresses d where d.address = lower(t.address))) as recipient,
       case when coalesce(p.id, a.id) is not null
         then json_build_object('name', coalesce(p.name, a.name), 'color', p.brand_color) end as brand
     from claimed m left join users u on u.id = m.user_id
       left join programs p on p.id = m.program_id
       left join advertisers a on a.id = m.advertiser_id and m.program_id is null
       cross join lateral (select coalesce(m.address, u.email) as address) t
       cross join unflushed`,
    [now, LEASE_SECONDS],
  );
  return mail ?? null;
}

/** Gives back the mails that a process held when it was killed. Only for a store with a single node. */
export async function releaseMails(db: Queryable, now: Date): Promise<void> {
  await db.query(`update mails set claimed_at = null, due_at = $1 where state = 'waiting' and claimed_at is not null`, [
    now,
  ]);
}

/** Finishes a mail. What it said and the address are deleted. */
export async function updateMailFinished(
  db: Queryable,
  id: number,
  { state, error }: { state: 'sent' | 'failed' | 'skipped'; error?: string },
  now: Date,
): Promise<void> {
  await db.query(
    `update mails set state = $2, last_error = $3, finished_at = $4, claimed_at = null, content_sealed = null, address = null
     where id = $1`,
    [id, state, error ?? null, now],
  );
}

/** Leaves a mail waiting until `dueAt`. */
export async function updateMailRetry(db: Queryable, id: number, dueAt: Date, error: string): Promise<void> {
  await db.query('update mails set claimed_at = null, due_at = $2, last_error = $3 where id = $1', [id, dueAt, error]);
}

/** When the next mail is due. */
export async function findNextDueMail(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(`select min(due_at) as at from mails where state = 'waiting'`);
  return row?.at ?? null;
}

/** Deletes mails that were finished before `before`. */
export async function deleteOldMails(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(`delete from mails where state <> 'waiting' and finished_at < $1 returning id`, [before]);
  return rows.length;
}

/** Who was erased: their account, by what their address is known in causes, and the partners that they were. */
export type ErasedPerson = { id: string; email: string; emailHash: string; partnerIds: number[] };

/** Deletes every mail to a person who was erased, sent or not, and those that tell others their name. */
export async function deleteMailsOf(db: Queryable, { id, email, emailHash, partnerIds }: ErasedPerson): Promise<void> {
  await db.query(
    'delete from mails where user_id = $1 or lower(address) = $2 or position($2 in cause) > 0 or position($3 in cause) > 0',
    [id, email, emailHash],
  );
  await db.query(
    `delete from mails where state = 'waiting' and kind in ('application_received', 'first_sale')
       and split_part(cause, ' ', 2) = any ($1::text[])`,
    [partnerIds.map(String)],
  );
  await deleteCountsOf(db, email);
}
