import { useSearch } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useState } from 'react';
import type { Run } from '../../../api/payout-runs.ts';
import { useMay } from '../../../api/rights.ts';
import { formatCount } from '../../../rules/money.ts';
import { findByName, pageOf, sumsOf } from '../../../rules/payout-run.ts';
import { PAYOUT_STATUSES } from '../../../rules/statuses.ts';
import { statusOptions } from '../../../ui/feedback/status-badge.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Tabs } from '../../../ui/forms/tabs.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { FilterSelect, FilterText } from '../../../ui/lists/filters.tsx';
import { Pager } from '../../../ui/lists/pager.tsx';
import { useSelection } from '../../../ui/lists/selection.ts';
import { SelectionBar } from '../../../ui/lists/selection-bar.tsx';
import { moneyText } from '../../../ui/records/money-totals.tsx';
import { LeftOutTable } from './left-out-table.tsx';
import { RunFiles } from './run-files.tsx';
import { runPayoutColumns } from './run-payout-columns.tsx';
import { type Outcome, SettleDialog } from './settle-dialog.tsx';
import { Spellings } from './spellings.tsx';

const PAGE = 50;

type RunPayout = Run['payouts'][number];
type RunTablesProps = { programId: number; run: Run; onLeaveOut: (payout: RunPayout) => void };

/** Who is paid, who is not, and what banks read differently. All rows are here; tables show a page of them. */
export function RunTables({ programId, run, onLeaveOut }: RunTablesProps) {
  const count = (title: string, rows: readonly unknown[]) => `${title} (${formatCount(rows.length)})`;
  return (
    <Tabs
      label="Content of the run"
      tabs={[
        {
          name: 'payouts',
          title: count('Payouts', run.payouts),
          content: <RunPayouts programId={programId} run={run} onLeaveOut={onLeaveOut} />,
        },
        {
          name: 'left-out',
          title: count('Left out', run.left_out),
          content: <LeftOut programId={programId} run={run} />,
        },
        ...(run.spellings.length > 0
          ? [{ name: 'spellings' as const, title: count('Spellings', run.spellings), content: <Spellings run={run} /> }]
          : []),
        ...(run.status === 'sent' || run.status === 'settled'
          ? [{ name: 'files' as const, title: count('Files', run.files), content: <Files {...{ programId, run }} /> }]
          : []),
      ]}
    />
  );
}

/** The files as they were uploaded. */
function Files({ programId, run }: { programId: number; run: Run }) {
  return (
    <Card>
      <RunFiles programId={programId} run={run} />
    </Card>
  );
}

const useRunSearch = () => useSearch({ from: '/app/programs/$programId/payouts/runs/$runId' });

function RunPayouts({ programId, run, onLeaveOut }: RunTablesProps) {
  const { q = '', status, in_file: inFile, cursor } = useRunSearch();
  const [settling, setSettling] = useState<Outcome | null>(null);
  const mayMake = useMay(programId, 'manageMakePayoutRun');
  const maySettle = useMay(programId, 'manageSettlePayoutRun');
  const found = findByName(run.payouts, q).filter(
    (payout) => (!status || payout.status === status) && (!inFile || payout.not_in_file !== null),
  );
  const { rows, next } = pageOf(found, cursor, PAGE);
  const [selection, setSelection] = useSelection(
    [run.id, run.status, q, status, inFile, cursor],
    rows.filter(isSettleable),
  );
  const selected = found.filter(({ id }) => selection.isAll || selection.keys.has(String(id))).filter(isSettleable);
  const canSettle = run.status === 'sent' && maySettle;
  const columns = runPayoutColumns({
    programId,
    isDraft: run.status === 'draft',
    onLeaveOut: mayMake ? onLeaveOut : undefined,
  });
  return (
    <div data-list>
      <Card>
        <div className="flex flex-wrap items-end gap-2 border-b border-line px-4 py-3 md:px-5">
          <FilterText label="Search payouts" placeholder="Partner name" />
          {run.status !== 'draft' && (
            <FilterSelect name="status" label="All statuses" options={statusOptions(PAYOUT_STATUSES)} />
          )}
          <FilterSelect name="in_file" label="All payouts" options={[['no', 'In no file']]} />
        </div>
        {rows.length === 0 ? (
          <NoMatches />
        ) : (
          <DataTable
            label="Payouts of this run"
            rows={rows}
            rowKey={({ id }) => id}
            columns={columns}
            {...(canSettle && {
              selecting: {
                selection,
                onChange: setSelection,
                nameOf: ({ partner_name: name }: RunPayout) => `payout to ${name}`,
                isSelectable: isSettleable,
              },
            })}
          />
        )}
        <Pager nextCursor={next} count={rows.length === 0 ? undefined : found.length} noun="payouts" />
        {canSettle && (
          <SelectionBar
            noun="payouts"
            selection={selection}
            matching={found.filter(isSettleable).length}
            isPageSelected={rows.filter(isSettleable).every(({ id }) => selection.keys.has(String(id)))}
            onChange={setSelection}
            actions={
              <>
                <span className="text-quiet tabular-nums">{moneyText(sumsOf(selected))}</span>
                <Button size="small" variant="primary" onClick={() => setSettling('paid')}>
                  Mark as paid…
                </Button>
                <Button size="small" onClick={() => setSettling('failed')}>
                  Failed…
                </Button>
                <Button size="small" onClick={() => setSettling('returned')}>
                  Returned…
                </Button>
              </>
            }
          />
        )}
      </Card>
      {settling && (
        <SettleDialog
          programId={programId}
          run={run}
          payouts={selected}
          outcome={settling}
          onClose={() => setSettling(null)}
          onDone={() => setSelection({ keys: new Set(), isAll: false })}
        />
      )}
    </div>
  );
}

/** What is sent, or paid by hand, can be settled. */
function isSettleable({ status, not_in_file: why }: RunPayout): boolean {
  return status === 'sent' || status === 'paid' || (status === 'open' && why !== null);
}

function LeftOut({ programId, run }: { programId: number; run: Run }) {
  const { q = '', cursor } = useRunSearch();
  const found = findByName(run.left_out, q);
  const { rows, next } = pageOf(found, cursor, PAGE);
  if (run.left_out.length === 0) {
    return (
      <Card>
        <p className="px-5 py-4 text-sm text-quiet">Everyone with something due is in this run.</p>
      </Card>
    );
  }
  return (
    <Card>
      <div className="flex flex-wrap items-end gap-2 border-b border-line px-4 py-3 md:px-5">
        <FilterText label="Search partners who are left out" placeholder="Partner name" />
      </div>
      {rows.length === 0 ? <NoMatches /> : <LeftOutTable programId={programId} rows={rows} />}
      <Pager nextCursor={next} count={rows.length === 0 ? undefined : found.length} noun="balances" />
    </Card>
  );
}

function NoMatches() {
  return (
    <EmptyState icon={SearchX} title="No matches">
      Change or clear your filters to see more.
    </EmptyState>
  );
}
