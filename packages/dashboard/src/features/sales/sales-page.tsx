import { Link, useSearch } from '@tanstack/react-router';
import { Receipt } from 'lucide-react';
import { urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { listQuery } from '../../rules/search.ts';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterDates, FilterText } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { CustomerLink, TransactionLink } from '../../ui/records/record-links.tsx';
import { saleColumns } from '../../ui/records/sale-columns.tsx';

export function Page() {
  const programId = useProgramId();
  const { filters, cursor, isFiltered } = listQuery(useSearch({ from: '/app/programs/$programId/sales' }));
  const params = { program_id: programId };
  const sales = useApiQuery('manageSales', { params, query: { ...filters, cursor } });
  return (
    <ListPage
      title="Sales"
      description="Payments attributed to a partner, and their refunds."
      exportUrl={urlOf('manageExportSales', { params, query: filters })}
      query={sales}
      rowKey={({ id }) => id}
      toolbar={
        <>
          <FilterText label="Search sales" placeholder="Transaction ID prefix" />
          <PartnerFilter programId={programId} />
          <FilterDates />
        </>
      }
      columns={[
        {
          title: 'Transaction',
          cell: ({ transaction_id: id }) => <TransactionLink programId={programId} transactionId={id} />,
        },
        {
          title: 'Customer',
          showFrom: 'medium',
          cell: ({ customer_id: id, customer_key: key }) =>
            id ? <CustomerLink programId={programId} customerId={id} label={key ?? `Customer ${id}`} /> : key,
        },
        { title: 'Partner', showFrom: 'medium', cell: ({ partner_name: name }) => name },
        ...saleColumns,
      ]}
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
