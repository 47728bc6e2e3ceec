import { useSearch } from '@tanstack/react-router';
import { Coins } from 'lucide-react';
import type { BulkSelection } from '../../api/bulk.ts';
import { urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { useMay } from '../../api/rights.ts';
import { listQuery } from '../../rules/search.ts';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { BulkProgress } from '../../ui/lists/bulk-progress.tsx';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterDates, FilterText } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { ListViews } from '../../ui/lists/list-views.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { NOTHING, useSelection } from '../../ui/lists/selection.ts';
import { useSetSort } from '../../ui/lists/sorting.ts';
import { CommissionStatusFilter, commissionName } from '../../ui/records/commission-columns.tsx';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { ApprovePending } from './approve-pending.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { canRestore, canReview } from './commission-actions.tsx';
import { commissionColumns } from './commission-columns.tsx';
import { commissionFilters } from './commission-filters.ts';
import { sumsOf } from './sums.ts';

export function Page() {
  const programId = useProgramId();
  const search = useSearch({ from: '/app/programs/$programId/commissions' });
  const { filters: shown, sort, cursor, isFiltered } = listQuery(search);
  const filters = commissionFilters(shown);
  const setSort = useSetSort();
  const [limit] = usePageSize();
  const params = { program_id: programId };
  const commissions = useApiQuery('manageCommissions', { params, query: { ...filters, sort, cursor, limit } });
  const matching = useApiQuery('manageCommissions', { params, query: { ...filters, totals: 'true', limit: 1 } });
  const { count, totals } = matching.data?.meta ?? {};
  // While the totals of other filters are still shown, they must not be acted on.
  const isCounted = !matching.isPlaceholderData && count !== undefined;
  const isRejectedList = filters.status === 'rejected';
  const isSelectable = isRejectedList ? canRestore : canReview;
  const [selection, setSelection] = useSelection(
    [programId, filters, sort, cursor, limit],
    commissions.data?.data.filter(isSelectable),
  );
  const selected: BulkSelection<'manageReviewCommissions'> =
    selection.isAll && isCounted ? { filter: filters, count } : { ids: [...selection.keys].map(Number) };
  const rows = commissions.data?.data ?? [];
  const mayReview = useMay(programId, 'manageReviewCommissions');
  return (
    <>
      <ListPage
        title="Commissions"
        description="What partners earn from sales. Commissions are approved automatically after the hold period, except those that are held for your review; refunds reduce them."
        exportUrl={urlOf('manageExportCommissions', { params, query: filters })}
        actions={
          <Allowed route="manageReviewCommissions" to="approve or reject commissions">
            {(filters.status === undefined || filters.status === 'pending') && filters.held === undefined && (
              <ApprovePending programId={programId} filter={filters} />
            )}
          </Allowed>
        }
        query={commissions}
        rowKey={({ id }) => id}
        toolbar={
          <>
            <FilterText label="Search commissions" placeholder="Transaction, customer key or full email" />
            <CommissionStatusFilter viewer="brand" />
            <PartnerFilter programId={programId} />
            <FilterDates />
            <ListViews programId={programId} list="commissions" />
          </>
        }
        columns={commissionColumns(programId, totals)}
        sort={sort ?? '-created_at'}
        onSort={setSort}
        count={count}
        noun="commissions"
        hasPageSize
        selecting={
          mayReview
            ? {
                selection,
                onChange: setSelection,
                nameOf: commissionName,
                isSelectable,
                matching: isCounted ? count : undefined,
                actions: (
                  <BulkActions
                    programId={programId}
                    selection={selected}
                    sums={sumsOf(
                      selection.isAll ? (totals ?? []) : rows.filter(({ id }) => selection.keys.has(String(id))),
                    )}
                    isRejectedList={isRejectedList}
                    onDone={() => setSelection(NOTHING)}
                  />
                ),
              }
            : undefined
        }
        empty={
          <EmptyList icon={Coins} noun="commissions" isFiltered={isFiltered}>
            Partners earn a commission when someone they referred makes a purchase. Invite partners to get started.
          </EmptyList>
        }
      />
      <BulkProgress programId={programId} kinds={['review_commissions']} />
    </>
  );
}
