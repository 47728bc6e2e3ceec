import { Tabs } from '../../ui/forms/tabs.tsx';
import { PageHead } from '../../ui/layout/card.tsx';
import { BalanceList } from './balance-list.tsx';
import { PayoutList } from './payout-list.tsx';

/** What partners have coming, and what was paid. The money itself moves outside; here it is counted. */
export function Page() {
  return (
    <>
      <PageHead
        title="Payouts"
        words="Make payouts of approved commissions, pay them where you pay people, and mark them as paid here."
      />
      <Tabs
        label="Payouts"
        tabs={[
          { name: 'balances', title: 'Ready to pay', content: <BalanceList /> },
          { name: 'payouts', title: 'Payouts', content: <PayoutList /> },
        ]}
      />
    </>
  );
}
