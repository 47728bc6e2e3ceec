import { useSearch } from '@tanstack/react-router';
import { Coins } from 'lucide-react';
import { urlOf } from '../../api/client.ts';
import { listQuery } from '../../rules/search.ts';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { BulkProgress } from '../../ui/lists/bulk-progress.tsx';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterDates, FilterText } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { ListViews } from '../../ui/lists/list-views.tsx';
import { CommissionStatusFilter } from '../../ui/records/commission-columns.tsx';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { ApprovePending } from './approve-pending.tsx';
import { commissionFilters } from './commission-filters.ts';
import { useCommissionList } from './use-commission-list.tsx';

export function Page() {
  const programId = useProgramId();
  const search = useSearch({ from: '/app/programs/$programId/commissions' });
  const { filters: shown, sort, cursor, isFiltered } = listQuery(search);
  const filters = commissionFilters(shown);
  const list = useCommissionList(filters, { sort, cursor });
  return (
    <>
      <ListPage
        title="Commissions"
        description="What partners earn from sales. Commissions are approved automatically after the hold period, except those that are held for your review; refunds reduce them."
        exportUrl={urlOf('manageExportCommissions', { params: { program_id: programId }, query: filters })}
        actions={
          <Allowed route="manageReviewCommissions" to="approve or reject commissions">
            {(filters.status === undefined || filters.status === 'pending') && filters.held === undefined && (
              <ApprovePending programId={programId} filter={filters} />
            )}
          </Allowed>
        }
        {...list}
        toolbar={
          <>
            <FilterText label="Search commissions" placeholder="Transaction, customer key or full email" />
            <CommissionStatusFilter viewer="brand" />
            <PartnerFilter programId={programId} />
            <FilterDates />
            <ListViews programId={programId} list="commissions" />
          </>
        }
        sort={sort ?? '-created_at'}
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
