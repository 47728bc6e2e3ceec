import type { Queryable } from '../db/db.ts';

/** Who did something: a signed-in user, or null for the operator and the service itself. */
export type Actor = { userId: string | null; requestId: string | null };

export type AuditEvent = {
  workspaceId: number | null;
  actor: Actor;
  /** What happened, as noun and verb: `partner.account_replaced`. */
  action: string;
  subject: { type: string; id: string | number };
  /** What changed, without secrets. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

/** Adds an event to the audit trail, in the transaction that makes the change. Events are never changed or deleted. */
export async function insertAuditEvent(db: Queryable, event: AuditEvent, now: Date): Promise<void> {
  const { workspaceId, actor, action, subject, before = {}, after = {} } = event;
  await db.query(
    `insert into audit_events
       (advertiser_id, user_id, action, subject, subject_id, before, after, request_id, created_at)
     values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9)`,
    [
      workspaceId,
      actor.userId,
      action,
      subject.type,
      String(subject.id),
      JSON.stringify(before),
      JSON.stringify(after),
      actor.requestId,
      now,
    ],
  );
}

export type StoredAuditEvent = {
  action: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  /** The name of the user, unless it was the operator or the service, or the account is gone. */
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
    `select e.action, e.before, e.after, u.name as "actorName", e.created_at as "createdAt"
     from audit_events e left join users u on u.id = e.user_id
     where e.subject = $2 and e.subject_id = $3 and e.advertiser_id = $1 order by e.id desc limit $4`,
    [workspaceId, subject.type, String(subject.id), limit],
  );
}
