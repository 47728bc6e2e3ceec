import { AUDIT_ACTIONS, type AuditAction } from '@svc/contract';
import { useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { listQuery } from '../../rules/search.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterDates, FilterSelect } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { Time } from '../../ui/records/time.tsx';
import { AuditDetails, type AuditEvent } from './audit-details.tsx';

const ACTION_OPTIONS = Object.entries(AUDIT_ACTIONS).sort(([, one], [, other]) => one.localeCompare(other));

/** Who changed what in the workspace, in all its programs. */
export function Page() {
  const { action, ...search } = useSearch({ from: '/app/programs/$programId/audit' });
  const { filters, cursor, isFiltered } = listQuery(search);
  // An old link may name what no longer exists.
  const known = action && action in AUDIT_ACTIONS ? (action as AuditAction) : undefined;
  const query = { ...filters, action: known };
  const [limit] = usePageSize();
  const events = useApiQuery('manageAudit', { query: { ...query, cursor, limit } });
  return (
    <ListPage
      title="Audit log"
      description="Who changed what in this workspace, in all its programs. Rows can’t be changed or deleted."
      exportUrl={urlOf('manageExportAudit', { query })}
      query={events}
      rowKey={({ id }) => id}
      hasPageSize
      toolbar={
        <>
          <PersonFilter />
          <FilterSelect name="action" label="All actions" options={ACTION_OPTIONS} />
          <ProgramFilter />
          <FilterDates />
        </>
      }
      columns={[
        {
          title: 'What happened',
          cell: (event: AuditEvent) => (
            <>
              <span className="whitespace-normal">{event.sentence}</span>
              <AuditDetails event={event} />
            </>
          ),
        },
        { title: 'Program', showFrom: 'medium', isStacked: true, cell: ({ program_name: name }) => name },
        { title: 'When', isRightAligned: true, cell: ({ created_at: at }) => <Time at={at} /> },
      ]}
      empty={
        <EmptyList icon={ScrollText} noun="changes" isFiltered={isFiltered || known !== undefined}>
          Changes of settings, partners, commissions, payouts and the team appear here.
        </EmptyList>
      }
    />
  );
}

function PersonFilter() {
  const members = useApiQuery('manageMembers').data?.data ?? [];
  return <FilterSelect name="user_id" label="Everyone" options={members.map(({ id, name }) => [id, name] as const)} />;
}

function ProgramFilter() {
  const programs = useApiQuery('managePrograms').data?.data ?? [];
  const own = programs.filter(({ role }) => role !== 'partner');
  if (own.length < 2) return null;
  const options = own.map(({ id, name }) => [String(id), name] as const);
  return <FilterSelect name="program_id" label="All programs" options={options} />;
}
