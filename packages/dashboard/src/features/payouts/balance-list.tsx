import { useSearch } from '@tanstack/react-router';
import { Wallet } from 'lucide-react';
import { useState } from 'react';
import type { Row } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { useMay } from '../../api/rights.ts';
import { sortOf } from '../../rules/search.ts';
import { BALANCE_SORTS } from '../../rules/sorts.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterSelect, FilterText } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { useSetSort } from '../../ui/lists/sorting.ts';
import { balanceColumns } from './balance-columns.tsx';
import { CreatePayoutDialog } from './create-payout-dialog.tsx';
import { PayoutRunDialog } from './payout-run-dialog.tsx';

type Balance = Row<'manageBalances'>;

/** Balances by partner and currency, which can be turned into payouts. */
export function BalanceList() {
  const programId = useProgramId();
  const [isRunning, setRunning] = useState(false);
  const [payee, setPayee] = useState<Balance | null>(null);
  const search = useSearch({ from: '/app/programs/$programId/payouts' });
  const setSort = useSetSort();
  const [limit] = usePageSize();
  // The URL may name the order of the other tab.
  const sort = sortOf(BALANCE_SORTS)(search.sort) ?? '-payable_cents';
  const params = { program_id: programId };
  const filters = { q: search.q, ...(search.balances !== 'all' && { payable: 'true' as const }) };
  const balances = useApiQuery('manageBalances', { params, query: { ...filters, sort, cursor: search.cursor, limit } });
  const matching = useApiQuery('manageBalances', { params, query: { ...filters, totals: 'true', limit: 1 } });
  const { count, totals } = matching.data?.meta ?? {};
  const mayCreate = useMay(programId, 'manageMakePayouts');
  const rows = balances.data?.data ?? [];
  return (
    <>
      {rows.some(({ carried_cents: cents }) => cents < 0) && (
        <Notice tone="warn">
          A negative amount comes from an adjustment, or from a sale that was refunded after its commission was paid or
          added to a payout. It is deducted from the partner’s next payout.
        </Notice>
      )}
      <List
        label="Balances"
        query={balances}
        rowKey={({ partner_id: id, currency }) => `${id} ${currency}`}
        toolbar={
          <>
            <FilterText label="Search balances" placeholder="Partner name or email" />
            <FilterSelect name="balances" label="Ready to pay" options={[['all', 'All balances']]} />
            <Allowed route="manageMakePayouts" to="pay partners">
              <Button
                disabled={!totals?.some(({ payable_cents: cents }) => cents > 0)}
                onClick={() => setRunning(true)}
              >
                Pay by hand…
              </Button>
            </Allowed>
          </>
        }
        columns={balanceColumns({ totals, onCreate: mayCreate ? setPayee : undefined })}
        sort={sort}
        onSort={setSort}
        count={count}
        noun="balances"
        hasPageSize
        empty={
          <EmptyList icon={Wallet} noun="balances" isFiltered={Boolean(search.q)}>
            Commissions become payable when their hold period ends, or earlier if you approve them.
          </EmptyList>
        }
      />
      {payee && <CreatePayoutDialog programId={programId} payee={payee} onClose={() => setPayee(null)} />}
      {isRunning && <PayoutRunDialog programId={programId} onClose={() => setRunning(false)} />}
    </>
  );
}
