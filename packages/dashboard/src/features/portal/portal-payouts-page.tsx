import { PAYOUT_KIND_NAMES } from '@svc/contract';
import { Link, useSearch } from '@tanstack/react-router';
import { HandCoins } from 'lucide-react';
import { useApiQuery } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyState } from '../../ui/lists/empty-state.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { Money } from '../../ui/records/money.tsx';
import { DateOnly, Time } from '../../ui/records/time.tsx';
import { NextPayout } from './next-payout.tsx';

/** The payouts of a partner. */
export function Page() {
  const programId = useProgramId();
  const { cursor } = useSearch({ from: '/app/portal/$programId/payouts' });
  const [limit] = usePageSize();
  const params = { program_id: programId };
  const payouts = useApiQuery('managePayouts', { params, query: { cursor, limit } });
  const matching = useApiQuery('managePayouts', { params, query: { totals: 'true', limit: 1 } });
  const me = useApiQuery('manageMe').data?.data;
  return (
    <ListPage
      title="Payouts"
      description="Payouts the brand has created for you, and whether they have been paid."
      query={payouts}
      rowKey={({ id }) => id}
      count={matching.data?.meta.count}
      noun="payouts"
      hasPageSize
      columns={[
        {
          title: 'Payout',
          cell: ({ id, created_at: at }) => (
            <Link
              to="/app/portal/$programId/payouts/$payoutId"
              params={{ programId, payoutId: String(id) }}
              className="font-medium hover:underline"
            >
              <DateOnly at={at} />
            </Link>
          ),
        },
        {
          title: 'Status',
          cell: ({ status, failure_reason: reason }) => (
            <>
              <StatusBadge status={status} />
              {reason && (
                <div className="mt-1 max-w-72 text-xs">
                  <span className="text-bad">{reason}</span>{' '}
                  <span className="text-quiet">The amount is due again and will be in a later payout.</span>
                </div>
              )}
            </>
          ),
        },
        { title: 'Reference', showFrom: 'medium', cell: ({ reference }) => reference ?? '–' },
        {
          title: 'Amount',
          isRightAligned: true,
          cell: (payout) => <Money cents={payout.amount_cents} currency={payout.currency} />,
        },
        {
          title: 'Paid',
          isRightAligned: true,
          showFrom: 'medium',
          cell: ({ paid_at: at }) => (at ? <DateOnly at={at} /> : 'Not yet'),
        },
      ]}
      empty={
        <EmptyState icon={HandCoins} title="No payouts yet">
          When the brand creates a payout from your approved commissions, it appears here.
        </EmptyState>
      }
    >
      <div className="mb-6">
        <NextPayout membership={me?.partner_of.find(({ program_id: id }) => id === programId)} saysMethod={false} />
      </div>
      {/* As high as the notice, so that the list does not move when it is known where the money goes. */}
      <div className="mb-6 flex min-h-10.5 items-center text-sm text-quiet *:w-full">
        {me && !me.payout_method && (
          <Notice tone="warn">
            The brand doesn’t know where to pay you yet.{' '}
            <Link to="/app/account/payout-method" className="font-medium underline">
              Add a payout method
            </Link>
          </Notice>
        )}
        {me?.payout_method && (
          <p>
            Paid to {PAYOUT_KIND_NAMES[me.payout_method.kind]} {me.payout_method.masked}
            {Date.parse(me.payout_method.usable_from) > Date.now() && (
              <>
                , which brands can use from <Time at={me.payout_method.usable_from} />
              </>
            )}
            .{' '}
            <Link to="/app/account/payout-method" className="underline">
              Change
            </Link>
          </p>
        )}
      </div>
    </ListPage>
  );
}
