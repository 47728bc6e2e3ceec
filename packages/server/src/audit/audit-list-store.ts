import { type AuditRow, type auditFilters, auditRow, type FiltersOf } from '@svc/contract';
import type { Selection } from '../db/lists/list-query.ts';
import { listSource } from '../db/lists/sorted-list.ts';
import { sentenceOf } from './sentence.ts';

export type AuditFilter = FiltersOf<typeof auditFilters>;

export const AUDIT_LOG = listSource<AuditRow, 'created_at', never, 'sentence'>({
  row: auditRow,
  table: 'audit_events',
  as: 'e',
  pageJoins: 'left join programs p on p.id = e.program_id',
  columns: { program_name: 'p.name' },
  computed: { sentence: sentenceOf },
  sorts: { created_at: 'time' },
});

/** What happened in the workspace. Each filter has an index in the order of the list, and so has each pair of person, program and action. */
export function selectAuditLog(workspaceId: number, filter: AuditFilter): Selection {
  return {
    scope: [['e.advertiser_id = ?', workspaceId]],
    filters: [
      ['e.program_id = ?', filter.program_id],
      ['e.user_id = ?', filter.user_id],
      ['e.actor_kind = ?', filter.actor_kind],
      ['e.action = ?', filter.action],
      ['e.subject = ?', filter.subject],
      ['e.subject_id = ?', filter.subject_id],
      ['e.created_at >= ?', filter.from],
      ['e.created_at < ?', filter.to],
    ],
  };
}
