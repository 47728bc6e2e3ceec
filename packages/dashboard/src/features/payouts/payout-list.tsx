import { useSearch } from '@tanstack/react-router';
import { HandCoins } from 'lucide-react';
import { useState } from 'react';
import type { BulkSelection } from '../../api/bulk.ts';
import { type Row, urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { useMay } from '../../api/rights.ts';
import { listQuery, sortOf } from '../../rules/search.ts';
import { PAYOUT_SORTS } from '../../rules/sorts.ts';
import { PAYOUT_STATUSES } from '../../rules/statuses.ts';
import { statusOptions } from '../../ui/feedback/status-badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { ListExport } from '../../ui/lists/csv-link.tsx';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterDates, FilterSelect, FilterText } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { ListViews } from '../../ui/lists/list-views.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { NOTHING, useSelection } from '../../ui/lists/selection.ts';
import { useSetSort } from '../../ui/lists/sorting.ts';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { MarkManyPaid } from './mark-many-paid.tsx';
import { payoutColumns } from './payout-columns.tsx';
import { type PayoutAction, PayoutDialog } from './payout-dialogs.tsx';

type Payout = Row<'managePayouts'>;

/** What the URL says about this list; the rest of it is about the other tabs. */
function usePayoutSearch() {
  const { tab: _, balances: __, run_status: ___, ...search } = useSearch({ from: '/app/programs/$programId/payouts' });
  return search;
}

/** The files of the list, for the head of the page. Beside the filters they would take a line of their own. */
export function PayoutExport() {
  const params = { program_id: useProgramId() };
  const { filters } = listQuery(usePayoutSearch());
  return <ListExport href={urlOf('manageExportPayouts', { params, query: filters })} />;
}

export function PayoutList() {
  const programId = useProgramId();
  const search = usePayoutSearch();
  const { filters, cursor, isFiltered } = listQuery(search);
  const setSort = useSetSort();
  const [limit] = usePageSize();
  const [dialog, setDialog] = useState<{ payout: Payout; action: PayoutAction } | null>(null);
  // The URL may name the order of the other tab.
  const sort = sortOf(PAYOUT_SORTS)(search.sort) ?? '-created_at';
  const params = { program_id: programId };
  const payouts = useApiQuery('managePayouts', { params, query: { ...filters, sort, cursor, limit } });
  const matching = useApiQuery('managePayouts', { params, query: { ...filters, totals: 'true', limit: 1 } });
  const { count, totals } = matching.data?.meta ?? {};
  const [selection, setSelection] = useSelection(
    [programId, filters, sort, cursor, limit],
    payouts.data?.data.filter(isPayable),
  );
  // Only a list of open payouts can be marked as a whole, and not while the totals of other filters are shown.
  const matchingOpen = filters.status === 'open' && !matching.isPlaceholderData ? count : undefined;
  const isAll = selection.isAll && matchingOpen !== undefined;
  const selected: BulkSelection<'manageMarkPayoutsPaid'> = isAll
    ? { filter: filters, count: matchingOpen }
    : { ids: [...selection.keys].map(Number) };
  const rows = payouts.data?.data ?? [];
  const mayPay = useMay(programId, 'manageMarkPayoutsPaid');
  return (
    <>
      <List
        label="Payouts"
        query={payouts}
        rowKey={({ id }) => id}
        toolbar={
          <>
            <FilterText label="Search payouts" placeholder="Partner or reference" />
            <FilterSelect name="status" label="All statuses" options={statusOptions(PAYOUT_STATUSES)} />
            <PartnerFilter programId={programId} />
            <FilterDates />
            <ListViews programId={programId} list="payouts" />
            <Allowed route="manageMarkPayoutsPaid" to="mark payouts as paid" />
          </>
        }
        columns={payoutColumns({
          programId,
          totals,
          actions: (payout) =>
            mayPay && (
              <RowActions partnerName={payout.partner_name} onSelect={(action) => setDialog({ payout, action })} />
            ),
        })}
        sort={sort}
        onSort={setSort}
        count={count}
        noun="payouts"
        hasPageSize
        selecting={
          mayPay
            ? {
                selection,
                onChange: setSelection,
                nameOf: ({ id, partner_name: name }) => `payout ${id} to ${name}`,
                isSelectable: isPayable,
                matching: matchingOpen,
                actions: (
                  <MarkManyPaid
                    programId={programId}
                    selection={selected}
                    payouts={isAll ? (totals ?? []) : rows.filter(({ id }) => selection.keys.has(String(id)))}
                    onDone={() => setSelection(NOTHING)}
                  />
                ),
              }
            : undefined
        }
        empty={
          <EmptyList icon={HandCoins} noun="payouts" isFiltered={isFiltered}>
            They come from payout runs, or from paying by hand in the Balances tab.
          </EmptyList>
        }
      />
      {dialog && <PayoutDialog programId={programId} {...dialog} onClose={() => setDialog(null)} />}
    </>
  );
}

/** What belongs to a run is settled with the run. */
function isPayable({ status, run_id: runId }: Payout): boolean {
  return status === 'open' && runId === null;
}

type RowActionsProps = { partnerName: string; onSelect: (action: PayoutAction) => void };

function RowActions({ partnerName, onSelect }: RowActionsProps) {
  return (
    <div className="inline-flex gap-1 text-ink">
      <Button size="small" aria-label={`Mark as paid: ${partnerName}`} onClick={() => onSelect('mark-paid')}>
        Mark as paid
      </Button>
      <Button
        size="small"
        variant="ghost"
        aria-label={`Cancel payout: ${partnerName}`}
        onClick={() => onSelect('cancel')}
      >
        Cancel
      </Button>
    </div>
  );
}
