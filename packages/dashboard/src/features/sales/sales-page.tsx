import { Link } from '@tanstack/react-router';
import { Receipt } from 'lucide-react';
import { hrefOf } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { usePartnerChoices } from '../../api/program.ts';
import { StateBadge } from '../../ui/feedback/badge.tsx';
import { PageHead } from '../../ui/layout/card.tsx';
import { brandPath, useListFilters, useProgramId } from '../../ui/layout/urls.ts';
import { CsvLink } from '../../ui/lists/csv-link.tsx';
import { EmptyList } from '../../ui/lists/empty.tsx';
import { FilterDates, FilterSelect, FilterText } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { SaleAmount } from '../../ui/records/sale-cells.tsx';
import { Time } from '../../ui/records/time.tsx';

export function Page() {
  const programId = useProgramId();
  const { filters, cursor, isFiltered } = useListFilters('partner_id', 'q', 'from', 'to');
  const params = { program_id: programId };
  const sales = useRead('manageSales', { params, query: { ...filters, cursor } });
  return (
    <>
      <PageHead title="Sales" words="Payments that were attributed to a partner, and what was refunded of them.">
        <CsvLink href={hrefOf('manageExportSales', { params, query: filters })} />
      </PageHead>
      <List
        label="Sales"
        read={sales}
        keyOf={({ id }) => id}
        tools={
          <>
            <FilterText name="q" label="Search sales" placeholder="Beginning of a transaction id" />
            <FilterSelect name="partner_id" label="All partners" choices={usePartnerChoices(programId)} />
            <FilterDates />
          </>
        }
        columns={[
          {
            title: 'Transaction',
            show: ({ transaction_id: id }) => (
              <Link
                to={brandPath(programId, 'explain')}
                search={{ by: 'transaction_id', q: id } as never}
                className="font-mono text-[0.8125rem] break-all hover:underline"
              >
                {id}
              </Link>
            ),
          },
          {
            title: 'Customer',
            isExtra: true,
            show: ({ customer_id: id, customer_key: key }) =>
              id ? (
                <Link to={brandPath(programId, `customers/${id}`)} className="hover:underline">
                  {key ?? `Customer ${id}`}
                </Link>
              ) : (
                key
              ),
          },
          { title: 'Partner', isExtra: true, show: ({ partner_name: name }) => name },
          { title: 'State', show: ({ status }) => <StateBadge state={status} /> },
          {
            title: 'Amount',
            isNumber: true,
            show: (sale) => <SaleAmount sale={sale} />,
          },
          { title: 'When', isNumber: true, isExtra: true, show: ({ created_at: at }) => <Time at={at} /> },
        ]}
        empty={
          <EmptyList icon={Receipt} what={['sale', 'sales']} isFiltered={isFiltered}>
            Sales arrive from your server, or from Stripe once it is connected in the settings.
          </EmptyList>
        }
      />
    </>
  );
}
