import type { BulkSelection } from '../../api/bulk.ts';
import type { Call } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { useMay } from '../../api/rights.ts';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { NOTHING, useSelection } from '../../ui/lists/selection.ts';
import { useSetSort } from '../../ui/lists/sorting.ts';
import { commissionName } from '../../ui/records/commission-columns.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { canRestore, canReview } from './commission-actions.tsx';
import { commissionColumns } from './commission-columns.tsx';
import { sumsOf } from './sums.ts';

type Query = NonNullable<Call<'manageCommissions'>['query']>;
type Filters = NonNullable<NonNullable<Call<'manageStartReview'>['body']>['filter']>;
type Place = { sort: Query['sort']; cursor: Query['cursor'] };

/** The commissions that match the filters, as a list shows them: with their totals, to select and to review. */
export function useCommissionList(filters: Filters, { sort, cursor }: Place) {
  const programId = useProgramId();
  const onSort = useSetSort();
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
  return {
    query: commissions,
    rowKey: ({ id }: (typeof rows)[number]) => id,
    columns: commissionColumns(programId, totals),
    onSort,
    count,
    noun: 'commissions',
    hasPageSize: true,
    selecting: mayReview
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
              sums={sumsOf(selection.isAll ? (totals ?? []) : rows.filter(({ id }) => selection.keys.has(String(id))))}
              isRejectedList={isRejectedList}
              onDone={() => setSelection(NOTHING)}
            />
          ),
        }
      : undefined,
  };
}
