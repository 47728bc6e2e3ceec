import { Receipt } from 'lucide-react';
import { hrefOf } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { StateBadge } from '../../ui/feedback/badge.tsx';
import { PageHead } from '../../ui/layout/card.tsx';
import { useListFilters, useProgramId } from '../../ui/layout/urls.ts';
import { CsvLink } from '../../ui/lists/csv-link.tsx';
import { Empty } from '../../ui/lists/empty.tsx';
import { FilterDates } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { SaleAmount } from '../../ui/records/sale-cells.tsx';
import { Time } from '../../ui/records/time.tsx';

/** Sales to a partner's customers. */
export function Page() {
  const programId = useProgramId();
  const { filters, cursor, isFiltered } = useListFilters('from', 'to');
  const params = { program_id: programId };
  const sales = useRead('manageSales', { params, query: { ...filters, cursor } });
  return (
    <>
      <PageHead title="Sales" words="What your customers bought, and what they were given back.">
        <CsvLink href={hrefOf('manageExportSales', { params, query: filters })} />
      </PageHead>
      <List
        label="Sales"
        read={sales}
        keyOf={({ id }) => id}
        tools={<FilterDates />}
        columns={[
          {
            title: 'Transaction',
            show: ({ transaction_id: id }) => <span className="font-mono text-[0.8125rem] break-all">{id}</span>,
          },
          { title: 'State', show: ({ status }) => <StateBadge state={status} /> },
          {
            title: 'Amount',
            isNumber: true,
            show: (sale) => <SaleAmount sale={sale} />,
          },
          { title: 'When', isNumber: true, isExtra: true, show: ({ created_at: at }) => <Time at={at} /> },
        ]}
        empty={
          <Empty icon={Receipt} title={isFiltered ? 'No sale in these days' : 'No sales yet'}>
            When somebody you sent buys something, it stands here within seconds.
          </Empty>
        }
      />
    </>
  );
}
