import { Download, Receipt } from 'lucide-react';
import { hrefOf } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { PageHead } from '../../ui/card.tsx';
import { SaleAmount } from '../../ui/cells.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FilterDates } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { useFilters, useProgramId } from '../../ui/place.ts';
import { Time } from '../../ui/time.tsx';

/** Sales to a partner's customers. */
export function Page() {
  const programId = useProgramId();
  const [{ from, to, cursor }] = useFilters();
  const params = { program_id: programId };
  const filters = { from: from || undefined, to: to || undefined };
  const sales = useRead('manageSales', { params, query: { ...filters, cursor } });
  return (
    <>
      <PageHead title="Sales" words="What your customers bought, and what they were given back.">
        <a href={hrefOf('manageExportSales', { params, query: filters })} download className={buttonClass()}>
          <Download size={16} aria-hidden /> CSV
        </a>
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
          <Empty icon={Receipt} title={from || to ? 'No sale in these days' : 'No sales yet'}>
            When somebody you sent buys something, it stands here within seconds.
          </Empty>
        }
      />
    </>
  );
}
