import { useSearch } from '@tanstack/react-router';
import { Receipt } from 'lucide-react';
import { urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { listQuery } from '../../rules/search.ts';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterDates } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { Identifier } from '../../ui/records/identifier.tsx';
import { saleColumns } from '../../ui/records/sale-columns.tsx';

/** Sales to the customers of a partner. */
export function Page() {
  const programId = useProgramId();
  const { filters, cursor, isFiltered } = listQuery(useSearch({ from: '/app/portal/$programId/sales' }));
  const params = { program_id: programId };
  const [limit] = usePageSize();
  const sales = useApiQuery('manageSales', { params, query: { ...filters, cursor, limit } });
  const matching = useApiQuery('manageSales', { params, query: { ...filters, totals: 'true', limit: 1 } });
  return (
    <ListPage
      title="Sales"
      description="Purchases by customers you referred, and their refunds."
      exportUrl={urlOf('manageExportSales', { params, query: filters })}
      query={sales}
      rowKey={({ id }) => id}
      count={matching.data?.meta.count}
      noun="sales"
      hasPageSize
      toolbar={<FilterDates />}
      columns={[
        { title: 'Transaction', cell: ({ transaction_id: id }) => <Identifier>{id}</Identifier> },
        ...saleColumns,
      ]}
      empty={
        <EmptyList icon={Receipt} noun="sales" isFiltered={isFiltered}>
          When someone you referred makes a purchase, it appears here. Share a link to get started.
        </EmptyList>
      }
    />
  );
}
