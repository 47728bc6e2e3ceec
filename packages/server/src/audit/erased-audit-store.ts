import type { Queryable } from '../db/db.ts';

export type AuditTexts = {
  id: number;
  subjectName: string | null;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
};

// As JSON writes it, without the quotes around it.
const WRITTEN = `exists (
  select from unnest($2::text[]) word
  where position(substr(to_json(word)::text, 2, length(to_json(word)::text) - 2) in e.before::text || e.after::text) > 0
    or position(word in coalesce(e.subject_name, '')) > 0)`;

const COLUMNS = 'e.id, e.subject_name as "subjectName", e.before, e.after';

/** The rows of a workspace, or of all, that contain one of the words. */
export function listAuditTexts(db: Queryable, workspaceId: number | null, words: string[]): Promise<AuditTexts[]> {
  return db.query<AuditTexts>(
    `select ${COLUMNS} from audit_events e where ($1::bigint is null or e.advertiser_id = $1) and ${WRITTEN}`,
    [workspaceId, words],
  );
}

/** The rows by or about an account, its partners and invitations, in all workspaces, and whether they are about them. */
export function listAuditTextsAbout(
  db: Queryable,
  { userId, partnerIds, invitationIds }: { userId: string; partnerIds: number[]; invitationIds: number[] },
): Promise<(AuditTexts & { isSubject: boolean })[]> {
  const isSubject = `((e.subject in ('account', 'member') and e.subject_id = $1)
    or (e.subject = 'partner' and e.subject_id = any ($2::text[]))
    or (e.subject = 'invitation' and e.subject_id = any ($3::text[])))`;
  return db.query<AuditTexts & { isSubject: boolean }>(
    `select ${COLUMNS}, ${isSubject} as "isSubject" from audit_events e where e.user_id = $1 or ${isSubject}`,
    [userId, partnerIds.map(String), invitationIds.map(String)],
  );
}

/** Replaces what rows say about an erased person. Nothing else may change a row. */
export async function updateAuditTexts(db: Queryable, rows: AuditTexts[]): Promise<void> {
  if (rows.length === 0) return;
  const texts = rows.map(({ id, subjectName, before, after }) => ({ id, subject_name: subjectName, before, after }));
  await whileErasing(db, () =>
    db.query(
      `update audit_events e set subject_name = i.subject_name, before = i.before, after = i.after
       from json_to_recordset($1::json) as i(id bigint, subject_name text, before jsonb, after jsonb) where e.id = i.id`,
      [JSON.stringify(texts)],
    ),
  );
}

/** Forgets what an account was called in everything it did. */
export function deleteActorName(db: Queryable, userId: string): Promise<void> {
  return whileErasing(db, () => db.query('update audit_events set actor_name = null where user_id = $1', [userId]));
}

/** Lets the transaction change rows of the audit log, which nothing else may, for as long as `change` takes. */
export async function whileErasing(db: Queryable, change: () => Promise<unknown>): Promise<void> {
  await db.query(`select set_config('svc.audit_change', 'erase', true)`);
  await change();
  await db.query(`select set_config('svc.audit_change', '', true)`);
}
