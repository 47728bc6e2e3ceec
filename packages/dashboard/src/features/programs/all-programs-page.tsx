import { Link } from '@tanstack/react-router';
import { Boxes, Plus } from 'lucide-react';
import { useApiQuery } from '../../api/hooks.ts';
import { useMayInWorkspace } from '../../api/rights.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/lists/empty-state.tsx';
import { programColumns } from './program-columns.tsx';

/** What is going on in all programs of the workspace, for those who look after several. */
export function Page() {
  const overview = useApiQuery('manageWorkspaceOverview');
  const workspace = useApiQuery('manageMe').data?.data.workspace;
  const mayCreate = useMayInWorkspace('manageCreateProgram');
  return (
    <>
      <PageHeader
        title="All programs"
        description={`What needs your attention in ${workspace ?? 'your workspace'}, what you owe partners, and the last 30 days.`}
      >
        {mayCreate && (
          <Link to="/app/start" className={buttonClass({ variant: 'primary' })}>
            <Plus size={16} aria-hidden /> New program
          </Link>
        )}
      </PageHeader>
      <QueryState query={overview} lines={8}>
        {({ data }) => (
          <Card>
            {data.length === 0 ? (
              <EmptyState icon={Boxes} title="No programs yet">
                Programs that you create are listed here.
              </EmptyState>
            ) : (
              <DataTable label="All programs" rows={data} rowKey={({ id }) => id} columns={programColumns(data)} />
            )}
          </Card>
        )}
      </QueryState>
    </>
  );
}
