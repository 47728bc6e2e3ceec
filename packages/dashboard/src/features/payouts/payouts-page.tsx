import { Tabs } from '../../ui/forms/tabs.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { useSearchParams } from '../../ui/layout/search-params.ts';
import { BulkProgress } from '../../ui/lists/bulk-progress.tsx';
import { BalanceList } from './balance-list.tsx';
import { Books } from './books.tsx';
import { PayoutExport, PayoutList } from './payout-list.tsx';
import { NewRunLink } from './runs/new-run-link.tsx';
import { RunList } from './runs/run-list.tsx';

/** Balances, runs, payouts and books. The money itself is sent outside the application. */
export function Page() {
  const [{ tab }] = useSearchParams();
  return (
    <>
      <PageHeader
        title="Payouts"
        description="Pay approved commissions with a payout run: a draft, an approval, files for your bank, PayPal or Wise, and a record of what arrived."
      >
        {tab === 'payouts' && <PayoutExport />}
        <NewRunLink />
      </PageHeader>
      <Tabs
        label="Payouts"
        tabs={[
          { name: 'balances', title: 'Balances', content: <BalanceList /> },
          { name: 'runs', title: 'Runs', content: <RunList /> },
          { name: 'payouts', title: 'Payouts', content: <PayoutList /> },
          { name: 'books', title: 'Books', content: <Books /> },
        ]}
      />
      <BulkProgress programId={useProgramId()} kinds={['create_payouts', 'mark_payouts_paid']} />
    </>
  );
}
