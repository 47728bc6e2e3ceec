import { useSearch } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import type { BulkSelection } from '../../api/bulk.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { useMay } from '../../api/rights.ts';
import { listQuery } from '../../rules/search.ts';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { BulkProgress } from '../../ui/lists/bulk-progress.tsx';
import { EmptyState } from '../../ui/lists/empty-state.tsx';
import { FilterSelect } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { NOTHING, useSelection } from '../../ui/lists/selection.ts';
import { useSetSort } from '../../ui/lists/sorting.ts';
import { commissionName } from '../../ui/records/commission-columns.tsx';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { canRestore, canReview } from './commission-actions.tsx';
import { commissionColumns } from './commission-columns.tsx';
import { ReasonCards } from './reason-cards.tsx';
import { sumsOf } from './sums.ts';

/** Commissions that wait for a person, by what is suspicious about them, and those that were rejected for it. */
export function Page() {
  const programId = useProgramId();
  const search = useSearch({ from: '/app/programs/$programId/held' });
  const { filters: shown, sort, cursor } = listQuery(search);
  const isRejectedList = shown.status === 'rejected';
  // What was rejected has many reasons; here, it is one of those that commissions are held for.
  const reason = shown.hold_reason ?? (isRejectedList ? 'self_referral' : undefined);
  const waiting = isRejectedList ? { status: 'rejected' as const } : { held: 'true' as const };
  const filters = { ...waiting, hold_reason: reason, partner_id: shown.partner_id };
  const setSort = useSetSort();
  const [limit] = usePageSize();
  const params = { program_id: programId };
  // Those of a partner are together, so that a pattern shows.
  const order = sort ?? 'partner_name';
  const commissions = useApiQuery('manageCommissions', { params, query: { ...filters, sort: order, cursor, limit } });
  const matching = useApiQuery('manageCommissions', { params, query: { ...filters, totals: 'true', limit: 1 } });
  const { count, totals } = matching.data?.meta ?? {};
  // While the totals of other filters are still shown, they must not be acted on.
  const isCounted = !matching.isPlaceholderData && count !== undefined;
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
        title="Held for review"
        description="Commissions that are not approved automatically, because something about the payment does not fit. Approve those that are right, and reject the others: the partner sees your reason."
        query={commissions}
        rowKey={({ id }) => id}
        toolbar={
          <>
            <FilterSelect name="status" label="Waiting for you" options={[['rejected', 'Rejected']]} />
            <PartnerFilter programId={programId} />
          </>
        }
        columns={commissionColumns(programId, totals)}
        sort={order}
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
          <EmptyState icon={ShieldCheck} title={isRejectedList ? 'None rejected' : 'Nothing is waiting for you'}>
            {isRejectedList
              ? 'Commissions that you reject for this reason are kept here, and you can undo a rejection.'
              : 'Commissions appear here when a partner may have bought from themselves, or when only a web page connects a payment with a partner.'}
          </EmptyState>
        }
      >
        <ReasonCards programId={programId} selected={reason} isRequired={isRejectedList} />
      </ListPage>
      <BulkProgress programId={programId} kinds={['review_commissions']} />
    </>
  );
}
