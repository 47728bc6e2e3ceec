import { Link, useSearch } from '@tanstack/react-router';
import { Receipt } from 'lucide-react';
import { urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { listQuery } from '../../rules/search.ts';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterDates, FilterText } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { ListViews } from '../../ui/lists/list-views.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { useSetSort } from '../../ui/lists/sorting.ts';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { brandSaleColumns } from './sale-columns.tsx';

export function Page() {
  const programId = useProgramId();
  const { filters, sort, cursor, isFiltered } = listQuery(useSearch({ from: '/app/programs/$programId/sales' }));
  const setSort = useSetSort();
  const [limit] = usePageSize();
  const params = { program_id: programId };
  const sales = useApiQuery('manageSales', { params, query: { ...filters, sort, cursor, limit } });
  const matching = useApiQuery('manageSales', { params, query: { ...filters, totals: 'true', limit: 1 } });
  const { count, totals } = matching.data?.meta ?? {};
  return (
    <ListPage
      title="Sales"
      description="Payments attributed to a partner, and their refunds."
      exportUrl={urlOf('manageExportSales', { params, query: filters })}
      query={sales}
      rowKey={({ id }) => id}
      toolbar={
        <>
          <FilterText label="Search sales" placeholder="Transaction, customer key or full email" />
          <PartnerFilter programId={programId} />
          <FilterDates />
          <ListViews programId={programId} list="sales" />
        </>
      }
      columns={brandSaleColumns(programId, totals)}
      sort={sort ?? '-created_at'}
      onSort={setSort}
      count={count}
      noun="sales"
      hasPageSize
      empty={
        <EmptyList icon={Receipt} noun="sales" isFiltered={isFiltered}>
          Report sales from your server, or{' '}
          <Link
            to="/app/programs/$programId/settings"
            params={{ programId }}
            search={{ tab: 'payments' }}
            className="text-accent underline"
          >
            connect a payment processor
          </Link>
          .
        </EmptyList>
      }
    />
  );
}
