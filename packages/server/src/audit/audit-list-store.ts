import type { ActorKind, AuditAction, AuditSubject } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';
import type { Condition } from '../../db/list-query.ts';
import { type ListSource, listSorted, type PageOf, type Positioned } from '../../db/sorted-list.ts';

export type ListedAuditEvent = {
  id: number;
  createdAt: Date;
  action: string;
  actorKind: ActorKind;
  actorId: string | null;
  actorName: string | null;
  userId: string | null;
  subject: string;
  subjectId: string;
  subjectName: string | null;
  programId: number | null;
  programName: string | null;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  requestId: string | null;
};

export type AuditFilter = {
  programId?: number | undefined;
  userId?: string | undefined;
  actorKind?: ActorKind | undefined;
  action?: AuditAction | undefined;
  subject?: AuditSubject | undefined;
  subjectId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

const SOURCE: ListSource<ListedAuditEvent, 'created_at'> = {
  table: 'audit_events e',
  id: 'e.id',
  joins: '',
  pageJoins: 'left join programs p on p.id = e.program_id',
  columns: {
    id: 'e.id',
    createdAt: 'e.created_at',
    action: 'e.action',
    actorKind: 'e.actor_kind',
    actorId: 'e.actor_id',
    actorName: 'e.actor_name',
    userId: 'e.user_id',
    subject: 'e.subject',
    subjectId: 'e.subject_id',
    subjectName: 'e.subject_name',
    programId: 'e.program_id',
    programName: 'p.name',
    before: 'e.before',
    after: 'e.after',
    requestId: 'e.request_id',
  },
  sorts: { created_at: { sql: 'e.created_at', type: 'time' } },
};

export const AUDIT_SORT_COLUMNS = SOURCE.sorts;

/** What happened in the workspace. Each filter has an index in the order of the list, and so has each pair of person, program and action. */
export function listAuditLog(
  db: Queryable,
  workspaceId: number,
  filter: AuditFilter,
  page: PageOf<'created_at'>,
): Promise<Positioned<ListedAuditEvent>[]> {
  const conditions: Condition[] = [
    ['e.advertiser_id = ?', workspaceId],
    ['e.program_id = ?', filter.programId],
    ['e.user_id = ?', filter.userId],
    ['e.actor_kind = ?', filter.actorKind],
    ['e.action = ?', filter.action],
    ['e.subject = ?', filter.subject],
    ['e.subject_id = ?', filter.subjectId],
    ['e.created_at >= ?', filter.from],
    ['e.created_at < ?', filter.to],
  ];
  return listSorted(db, SOURCE, conditions, page);
}
