import {
  type FeedEventType,
  fillPostback,
  KEPT_POSTBACK_CALLS,
  type PostbackCallRow,
  type PostbackEvent,
  type PostbackMethod,
  type PostbackValues,
  postbackCallRow,
} from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { findRow, findRows, listSource } from '../db/lists/sorted-list.ts';
import { type NumberedRange, STORED_EVENT } from '../feed/feed-store.ts';
import type { StoredEvent } from '../feed/render-event.ts';
import type { Answer } from '../webhooks/attempt.ts';
import type { DueCall, DueHost, ListedDue } from '../webhooks/call-kind.ts';
import { leasedUntil } from '../webhooks/host-store.ts';
import type { Visit } from './postback.ts';
import { ALIVE, type PostbackOwner } from './postback-store.ts';

/** An event about a commission, the postback that is told about it, and what is known about the visit. */
export type Addressed = StoredEvent & Visit & { postbackId: number; url: string; customerId: number | null };

/**
 * Finds the events of these types for whose partners there is a postback, oldest first. Only active partners are told. Postbacks
 * are locked against being deleted. Those that are just being deleted are left out, so that numbering waits for nobody.
 */
export function listAddressed(db: Queryable, numbered: NumberedRange[], types: FeedEventType[]): Promise<Addressed[]> {
  // Most programs have no postbacks, and some have many: each event looks for its own.
  return db.query<Addressed>(
    `with e as materialized (
       select e.* from json_to_recordset($1::json) as n ("programId" bigint, first bigint, last bigint)
       join feed_events e on e.program_id = n."programId" and e.sequence between n.first and n.last
         and e.type = any ($2::text[])
       where exists (select from postbacks p where p.program_id = n."programId")
     )
     select ${STORED_EVENT}, b.id as "postbackId", b.url, e.customer_id as "customerId", c.clicked_at as "clickedAt",
       k.affiliate_url as "affiliateUrl", k.sub, s.coupon_code as "couponCode"
     from e join postbacks b on b.program_id = e.program_id and b.partner_id = e.partner_id and ${ALIVE}
     join memberships m on m.program_id = b.program_id and m.partner_id = b.partner_id and m.status = 'active'
     left join customers c on c.id = e.customer_id and c.partner_id = b.partner_id
     left join sales s on s.id = (coalesce(e.facts, e.gone) ->> 'sale_id')::bigint
     left join lateral (
       select k.affiliate_url, k.sub from clicks k
       where k.customer_id = c.id and k.program_id = c.program_id
         and k.clicked_at = coalesce(c.credited_click_at, c.clicked_at)
         and k.partner_id = b.partner_id
       order by k.id limit 1
     ) k on true
     order by e.program_id, e.sequence for key share of b skip locked`,
    [JSON.stringify(numbered), types],
  );
}

export type NewCall = {
  postbackId: number;
  event: PostbackEvent;
  values: PostbackValues;
  customerId: number | null;
};

export async function insertCalls(db: Queryable, calls: NewCall[], now: Date): Promise<void> {
  const rows = calls.map(({ postbackId, event, values, customerId }) => ({
    postback_id: postbackId,
    event,
    facts: values,
    customer_id: customerId,
  }));
  await db.query(
    `insert into postback_calls (postback_id, event, facts, customer_id, due_at, created_at)
     select postback_id, event, facts, customer_id, $2, $2
     from json_populate_recordset(null::postback_calls, $1::json) with ordinality order by ordinality`,
    [JSON.stringify(rows), now],
  );
}

/** Stores a call with made-up values, for one attempt that is made right now; null if there is no postback. */
export async function insertTestCall(
  db: Queryable,
  { programId, partnerId, userId }: PostbackOwner,
  values: PostbackValues,
  now: Date,
): Promise<PostbackCall | null> {
  const [row] = await db.query<Omit<PostbackCall, 'values'>>(
    `with b as (select * from postbacks where program_id = $1 and partner_id = $2 and user_id = $3),
     c as (
       insert into postback_calls (postback_id, event, facts, status, created_at)
       select id, 'test', $4::jsonb, 'failed', $5 from b returning id, created_at
     )
     select c.id, b.id as "endpointId", c.created_at as "dueAt", b.failing_since is not null as "isFailing", 0 as attempts,
       b.method, b.url
     from b, c`,
    [programId, partnerId, userId, JSON.stringify(values), now],
  );
  return row ? { ...row, values } : null;
}

/** The hosts of postbacks with due calls. */
export function listDueHosts(db: Queryable, now: Date): Promise<DueHost[]> {
  return db.query<DueHost>(
    `select b.host, bool_and(b.failing_since is not null) as "isFailing"
     from (select distinct postback_id from postback_calls where status = 'pending' and due_at <= $1) due
     join postbacks b on b.id = due.postback_id and ${ALIVE}
     group by 1`,
    [now],
  );
}

/** A call with what it takes to make it. Its endpoint is the postback. */
export type PostbackCall = DueCall & {
  attempts: number;
  method: PostbackMethod;
  url: string;
  values: PostbackValues;
};

/** Due calls to a host: the oldest few of each postback, so that none waits behind another one's burst. */
export function listDueCalls(
  db: Queryable,
  host: string,
  now: Date,
  { perEndpoint, without }: ListedDue,
): Promise<PostbackCall[]> {
  return db.query<PostbackCall>(
    `select c.id, b.id as "endpointId", c.due_at as "dueAt", b.failing_since is not null as "isFailing", c.attempts, b.method,
       b.url, c.facts as values
     from postbacks b cross join lateral (
       select * from postback_calls c
       where c.postback_id = b.id and c.status = 'pending' and c.due_at <= $2 and c.id <> all ($4::bigint[])
       order by c.due_at, c.id limit $3
     ) c
     where b.host = $1 and ${ALIVE}
     order by c.due_at, c.id`,
    [host, now, perEndpoint, without],
  );
}

/** When a node should look again: when the next call is due, or when a host is free that another node may have left. */
export async function findNextDueCall(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ due: Date | null }>(
    `select min(greatest(c.due, ${leasedUntil('b.host')})) as due
     from (select postback_id, min(due_at) as due from postback_calls where status = 'pending' group by 1) c
     join postbacks b on b.id = c.postback_id and ${ALIVE}`,
    [],
  );
  return row?.due ?? null;
}

/** What became of a call. One that is tried again has a time for it. */
export type AttemptedCall = {
  call: PostbackCall;
  status: 'pending' | 'delivered' | 'failed';
  dueAt: Date | null;
  answer: Pick<Answer, 'status' | 'error'>;
};

/** Stores what became of calls, all in one statement. */
export async function updateAttempted(db: Queryable, attempted: AttemptedCall[], now: Date): Promise<void> {
  const rows = attempted.map(({ call, status, dueAt, answer }) => ({
    id: call.id,
    status,
    due_at: dueAt,
    called_method: call.method,
    called_url: call.url,
    last_status: answer.status,
    last_error: answer.error,
  }));
  await db.query(
    `update postback_calls c set status = i.status, due_at = i.due_at, attempts = c.attempts + 1,
       called_method = i.called_method, called_url = i.called_url, last_attempt_at = $2, last_status = i.last_status,
       last_error = i.last_error
     from json_populate_recordset(null::postback_calls, $1::json) i where c.id = i.id`,
    [JSON.stringify(rows), now],
  );
}

type Facts = { template: string | null; values: PostbackValues };

const CALLS = listSource<PostbackCallRow, never, never, 'url', Facts>({
  row: postbackCallRow,
  table: 'postback_calls',
  as: 'c',
  joins: 'join postbacks b on b.id = c.postback_id',
  columns: { method: 'c.called_method', next_attempt_at: 'c.due_at', template: 'c.called_url', values: 'c.facts' },
  // Filled in only now, so that the URL shows nothing that was erased.
  computed: { url: ({ template, values }) => template && fillPostback(template, values) },
  sorts: {},
});

/** The last calls, newest first. */
export function listCalls(db: Queryable, { programId, partnerId, userId }: PostbackOwner): Promise<PostbackCallRow[]> {
  const scope = [
    ['b.program_id = ? and b.partner_id = ? and b.user_id = ?', programId, partnerId, userId],
  ] satisfies Parameters<typeof findRow>[2];
  return findRows(db, CALLS, { scope, filters: [] }, KEPT_POSTBACK_CALLS);
}

export async function findCall(db: Queryable, callId: number): Promise<PostbackCallRow> {
  return (await findRow(db, CALLS, [['c.id = ?', callId]]))!;
}

/** Deletes calls that are done and no longer listed, and returns how many. */
export async function deleteOldCalls(db: Queryable): Promise<number> {
  const rows = await db.query(
    `delete from postback_calls c using (
       select id, row_number() over (partition by postback_id order by id desc) as place from postback_calls
     ) listed
     where c.id = listed.id and listed.place > $1 and c.status <> 'pending' returning c.id`,
    [KEPT_POSTBACK_CALLS],
  );
  return rows.length;
}

/** Removes what leads from calls to the visits of customers. */
export async function updateCallsAnonymous(db: Queryable, customerIds: number[]): Promise<void> {
  await db.query(
    `update postback_calls set facts = facts || '{"click_id": "", "sub": "", "sub_id": ""}', customer_id = null
     where customer_id = any ($1::bigint[])`,
    [customerIds],
  );
}
