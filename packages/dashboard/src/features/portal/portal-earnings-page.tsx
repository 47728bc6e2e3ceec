import { useSearch } from '@tanstack/react-router';
import { Coins } from 'lucide-react';
import { urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { listQuery } from '../../rules/search.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import {
  CommissionStatusFilter,
  commissionAmountColumn,
  commissionDateColumn,
  commissionName,
  commissionRuleColumn,
  commissionStatusColumn,
} from '../../ui/records/commission-columns.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { OpeningBalances } from '../../ui/records/opening-balances.tsx';
import { EarningsSummary } from './earnings-summary.tsx';

/** What a partner earned, in total and by commission. */
export function Page() {
  const programId = useProgramId();
  const { filters, cursor, isFiltered } = listQuery(useSearch({ from: '/app/portal/$programId/earnings' }));
  const params = { program_id: programId };
  const earnings = useApiQuery('manageEarnings', { params });
  const opening = useApiQuery('manageOpeningBalances', { params, query: { limit: 100 } });
  const [limit] = usePageSize();
  const commissions = useApiQuery('manageCommissions', { params, query: { ...filters, cursor, limit } });
  const matching = useApiQuery('manageCommissions', { params, query: { ...filters, totals: 'true', limit: 1 } });
  return (
    <ListPage
      title="Earnings"
      description="Your commissions and their status."
      exportUrl={urlOf('manageExportCommissions', { params, query: filters })}
      query={commissions}
      isPending={earnings.isPending || opening.isPending}
      rowKey={({ id }) => id}
      count={matching.data?.meta.count}
      noun="commissions"
      hasPageSize
      toolbar={<CommissionStatusFilter viewer="partner" />}
      columns={[
        {
          title: 'Transaction',
          cell: (commission) =>
            commission.transaction_id === null ? (
              commissionName(commission)
            ) : (
              <Identifier>{commission.transaction_id}</Identifier>
            ),
        },
        commissionStatusColumn('partner'),
        commissionAmountColumn,
        commissionRuleColumn,
        commissionDateColumn,
      ]}
      empty={
        <EmptyList icon={Coins} noun="commissions" isFiltered={isFiltered}>
          You earn a commission when someone you referred makes a purchase. Share a link to get started.
        </EmptyList>
      }
    >
      <div className="mb-6">
        <QueryState query={earnings} lines={3}>
          {({ data }) => <EarningsSummary earnings={data} />}
        </QueryState>
        <div className="mt-6 empty:hidden">
          <OpeningBalances balances={opening.data?.data} />
        </div>
      </div>
    </ListPage>
  );
}
