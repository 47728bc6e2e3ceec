import type { ActorKind, AuditAction, AuditSubject } from '@svc/contract';
import type { Db, Queryable } from '../db/db.ts';

/** Who changes something. */
export type Actor = {
  /** The account, also behind an account token; null for keys, the operator and jobs. */
  userId: string | null;
  requestId: string | null;
  /** By default a person, or the operator where there is no account. */
  kind?: ActorKind;
  /** The token, the key, or the name of the job. The account by default. */
  id?: string | number;
  /** What the actor is called. The name of the account by default. */
  name?: string;
  /** The only program that the token is for. It changes nothing that this program shares with others. */
  onlyProgramId?: number;
};

export type AuditEvent = {
  workspaceId: number | null;
  /** Left out for what concerns the whole workspace, or an account. */
  programId?: number | undefined;
  actor: Actor;
  /** What happened, as noun and verb: `partner.account_replaced`. */
  action: AuditAction;
  /** What it happened to, and what that is called. */
  subject: { type: AuditSubject; id: string | number; name?: string | null | undefined };
  /** What changed, without secrets. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

/** The operator of the service, at the command line. */
export const OPERATOR: Actor = { userId: null, requestId: null, kind: 'operator' };

/** A job of the service. */
export const jobActor = (name: string): Actor => ({ userId: null, requestId: null, kind: 'job', id: name });

/** Adds an event to the audit log, in the transaction that makes the change. The database refuses to change it afterwards. */
export async function insertAuditEvent(db: Queryable, event: AuditEvent, now: Date): Promise<void> {
  await insertAuditEvents(db, [event], now);
}

/** Adds events about several things that one request changes. */
export async function insertAuditEvents(db: Queryable, events: AuditEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  await db.query(
    `insert into audit_events
       (advertiser_id, program_id, user_id, actor_kind, actor_id, actor_name, action, subject, subject_id, subject_name,
        before, after, request_id, created_at)
     select advertiser_id, program_id, user_id, actor_kind, actor_id,
       coalesce(actor_name, (select name from users u where u.id = i.user_id)), action, subject, subject_id, subject_name,
       before, after, request_id, created_at
     from json_populate_recordset(null::audit_events, $1::json) with ordinality i order by ordinality`,
    [JSON.stringify(events.map((event) => auditRow(event, now)))],
  );
}

function auditRow(event: AuditEvent, now: Date) {
  const { workspaceId, programId = null, actor, action, subject, before = {}, after = {} } = event;
  const { userId, requestId, kind = userId === null ? 'operator' : 'person', id = userId, name = null } = actor;
  return {
    advertiser_id: workspaceId,
    program_id: programId,
    user_id: userId,
    actor_kind: kind,
    actor_id: id === null ? null : String(id),
    actor_name: name,
    action,
    subject: subject.type,
    subject_id: String(subject.id),
    subject_name: subject.name ?? null,
    before,
    after,
    request_id: requestId,
    created_at: now,
  };
}

export type StoredAuditEvent = {
  action: string;
  programId: number | null;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  /** What the user was called at the time; null for the operator and for the service itself. */
  actorName: string | null;
  createdAt: Date;
};

/** What happened to the subject, newest first. */
export function listAuditEvents(
  db: Queryable,
  workspaceId: number,
  subject: AuditEvent['subject'],
  limit: number,
): Promise<StoredAuditEvent[]> {
  return db.query<StoredAuditEvent>(
    `select e.action, e.program_id as "programId", e.before, e.after, e.actor_name as "actorName",
       e.created_at as "createdAt"
     from audit_events e
     where e.subject = $2 and e.subject_id = $3 and e.advertiser_id = $1 order by e.id desc limit $4`,
    [workspaceId, subject.type, String(subject.id), limit],
  );
}

/** Removes the oldest events from before the time, at most `limit`, and returns how many. */
export function deleteAuditEventsBefore(db: Db, before: Date, limit: number): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.query(`select set_config('svc.audit_change', 'purge', true)`);
    const rows = await tx.query(
      `delete from audit_events where id in (
         select id from audit_events where created_at < $1 order by created_at limit $2) returning id`,
      [before, limit],
    );
    return rows.length;
  });
}
