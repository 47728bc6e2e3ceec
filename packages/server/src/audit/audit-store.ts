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
