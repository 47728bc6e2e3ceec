import { Link } from '@tanstack/react-router';
import { HandCoins } from 'lucide-react';
import { useRead } from '../../api/hooks.ts';
import { StateBadge } from '../../ui/feedback/badge.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { PageHead } from '../../ui/layout/card.tsx';
import { portalPath, useFilters, useProgramId } from '../../ui/layout/urls.ts';
import { Empty } from '../../ui/lists/empty.tsx';
import { List } from '../../ui/lists/list.tsx';
import { Money } from '../../ui/records/money.tsx';
import { Time } from '../../ui/records/time.tsx';

/** What a partner was paid. */
export function Page() {
  const programId = useProgramId();
  const [{ cursor }] = useFilters();
  const payouts = useRead('managePayouts', { params: { program_id: programId }, query: { cursor } });
  const me = useRead('manageMe').data?.data;
  return (
    <>
      <PageHead title="Payouts" words="What you were paid, and what is on its way." />
      {me && !me.payout_details && (
        <div className="mb-6">
          <Notice tone="warn">
            The brand does not know where to pay you yet.{' '}
            <Link to="/app/account" className="font-medium underline">
              Say where you want to be paid
            </Link>
            .
          </Notice>
        </div>
      )}
      <List
        label="Payouts"
        read={payouts}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Payout',
            show: ({ id, created_at: at }) => (
              <Link to={portalPath(programId, `payouts/${id}`)} className="font-medium hover:underline">
                <Time at={at} />
              </Link>
            ),
          },
          { title: 'State', show: ({ status }) => <StateBadge state={status} /> },
          { title: 'Reference', isExtra: true, show: ({ reference }) => reference ?? '–' },
          {
            title: 'Amount',
            isNumber: true,
            show: (payout) => <Money cents={payout.amount_cents} currency={payout.currency} />,
          },
          {
            title: 'Paid',
            isNumber: true,
            isExtra: true,
            show: ({ paid_at: at }) => (at ? <Time at={at} /> : 'not yet'),
          },
        ]}
        empty={
          <Empty icon={HandCoins} title="No payouts yet">
            Approved commissions are put into a payout by the brand; it then stands here with everything it is made of.
          </Empty>
        }
      />
    </>
  );
}
