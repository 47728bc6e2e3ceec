import { Coins } from 'lucide-react';
import { type Call, hrefOf } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { PageHead } from '../../ui/layout/card.tsx';
import { useFilters, useProgramId } from '../../ui/layout/urls.ts';
import { CsvLink } from '../../ui/lists/csv-link.tsx';
import { Empty } from '../../ui/lists/empty.tsx';
import { FilterSelect } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { CommissionLeft, CommissionState } from '../../ui/records/sale-cells.tsx';
import { Time } from '../../ui/records/time.tsx';
import { EarningsSummary } from './earnings-summary.tsx';

type Filters = NonNullable<Call<'manageExportCommissions'>['query']>;

const STATUSES = [
  ['pending', 'Pending'],
  ['approved', 'Approved'],
  ['paid', 'Paid'],
  ['partially_reversed', 'Partly reversed'],
  ['reversed', 'Reversed'],
  ['rejected', 'Rejected'],
] as const;

/** What a partner earned, and what became of it. */
export function Page() {
  const programId = useProgramId();
  const [{ status, cursor }] = useFilters();
  const params = { program_id: programId };
  const filters: Filters = { status: (status || undefined) as Filters['status'] };
  const earnings = useRead('manageEarnings', { params });
  const commissions = useRead('manageCommissions', { params, query: { ...filters, cursor } });
  return (
    <>
      <PageHead title="Earnings" words="Every commission, and how far it is on its way to you.">
        <CsvLink href={hrefOf('manageExportCommissions', { params, query: filters })} />
      </PageHead>
      <div className="space-y-6">
        <Loaded read={earnings} lines={3}>
          {({ data }) => <EarningsSummary earnings={data} />}
        </Loaded>
        <List
          label="Commissions"
          read={commissions}
          keyOf={({ id }) => id}
          tools={<FilterSelect name="status" label="All states" choices={STATUSES} />}
          columns={[
            {
              title: 'Transaction',
              show: ({ transaction_id: id }) => <span className="font-mono text-[0.8125rem] break-all">{id}</span>,
            },
            {
              title: 'State',
              show: (commission) => <CommissionState commission={commission} />,
            },
            {
              title: 'Yours',
              isNumber: true,
              show: (commission) => <CommissionLeft commission={commission} />,
            },
            { title: 'Earned', isNumber: true, isExtra: true, show: ({ created_at: at }) => <Time at={at} /> },
          ]}
          empty={
            <Empty icon={Coins} title={status ? 'No commission fits' : 'Nothing earned yet'}>
              {status ? 'Choose another state.' : 'The first sale to somebody you sent brings the first commission.'}
            </Empty>
          }
        />
      </div>
    </>
  );
}
