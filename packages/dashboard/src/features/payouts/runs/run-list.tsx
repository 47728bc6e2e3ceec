import { Link, useSearch } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import type { Row } from '../../../api/client.ts';
import { useApiQuery } from '../../../api/hooks.ts';
import { formatCount } from '../../../rules/money.ts';
import { RUN_STATUSES } from '../../../rules/statuses.ts';
import { StatusBadge, statusOptions } from '../../../ui/feedback/status-badge.tsx';
import { useProgramId } from '../../../ui/layout/program-id.ts';
import type { Column } from '../../../ui/lists/column.ts';
import { EmptyList } from '../../../ui/lists/empty-state.tsx';
import { FilterSelect } from '../../../ui/lists/filters.tsx';
import { List } from '../../../ui/lists/list.tsx';
import { usePageSize } from '../../../ui/lists/page-size.ts';
import { MoneyTotals } from '../../../ui/records/money-totals.tsx';
import { DateOnly } from '../../../ui/records/time.tsx';
import { NewRunLink } from './new-run-link.tsx';
import { RunPreparation } from './run-preparation.tsx';

type Run = Row<'managePayoutRuns'>;

/** All runs of the program, newest first. */
export function RunList() {
  const programId = useProgramId();
  const { run_status: status, cursor } = useSearch({ from: '/app/programs/$programId/payouts' });
  const [limit] = usePageSize();
  const runs = useApiQuery('managePayoutRuns', { params: { program_id: programId }, query: { status, cursor, limit } });
  return (
    <>
      <RunPreparation programId={programId} />
      <List
        label="Payout runs"
        query={runs}
        rowKey={({ id }) => id}
        hasPageSize
        noun="payout runs"
        toolbar={<FilterSelect name="run_status" label="All statuses" options={statusOptions(RUN_STATUSES)} />}
        columns={runColumns(programId)}
        empty={
          <EmptyList icon={Layers} noun="payout runs" isFiltered={status !== undefined} action={<NewRunLink />}>
            A run pays many partners together: you make a draft, check it, have it approved, upload its files to your
            bank, PayPal or Wise, and record what arrived.
          </EmptyList>
        }
      />
    </>
  );
}

function runColumns(programId: number): Column<Run>[] {
  return [
    {
      title: 'Run',
      cell: ({ id, number }) => (
        <Link
          to="/app/programs/$programId/payouts/runs/$runId"
          params={{ programId, runId: String(id) }}
          className="font-medium whitespace-nowrap hover:underline"
        >
          Run {number}
        </Link>
      ),
    },
    { title: 'Status', isStacked: true, showFrom: 'small', cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Cutoff', isStacked: true, showFrom: 'medium', cell: ({ cutoff_at: at }) => <DateOnly at={at} /> },
    {
      title: 'Made by',
      showFrom: 'wide',
      cell: ({ made_by: person, scheduled }) =>
        person?.name ?? <span className="text-quiet">{scheduled ? 'The schedule' : 'A deleted account'}</span>,
    },
    {
      title: 'Approved by',
      showFrom: 'wide',
      cell: ({ approved_by: person, approved_at: at }) =>
        person?.name ?? <span className="text-quiet">{at ? 'A deleted account' : '–'}</span>,
    },
    {
      title: 'Payouts',
      isRightAligned: true,
      showFrom: 'medium',
      cell: ({ totals }) => formatCount(totals.reduce((sum, { payouts }) => sum + payouts, 0)),
    },
    {
      title: 'Left out',
      isRightAligned: true,
      showFrom: 'wide',
      cell: ({ left_out_count: count }) => formatCount(count),
    },
    {
      title: 'Amount',
      isRightAligned: true,
      cell: ({ totals }) => <MoneyTotals totals={totals} amountOf={({ amount_cents: cents }) => cents} />,
    },
  ];
}
