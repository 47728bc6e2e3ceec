import { Tabs } from '../../ui/forms/tabs.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { BalanceList } from './balance-list.tsx';
import { PayoutList } from './payout-list.tsx';

/** Balances and payouts. The money itself is sent outside the application. */
export function Page() {
  return (
    <>
      <PageHeader
        title="Payouts"
        description="Create payouts from approved commissions, send the money yourself, then mark them as paid here."
      />
      <Tabs
        label="Payouts"
        tabs={[
          { name: 'balances', title: 'Balances', content: <BalanceList /> },
          { name: 'payouts', title: 'Payouts', content: <PayoutList /> },
        ]}
      />
    </>
  );
}
