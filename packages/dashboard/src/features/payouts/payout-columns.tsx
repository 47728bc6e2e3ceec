import { PAYOUT_KIND_NAMES } from '@svc/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Reply, Row } from '../../api/client.ts';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import type { Column } from '../../ui/lists/column.ts';
import { AccountChanged } from '../../ui/records/account-changed.tsx';
import { NameWithAvatar } from '../../ui/records/avatar.tsx';
import { Money } from '../../ui/records/money.tsx';
import { MoneyTotals } from '../../ui/records/money-totals.tsx';
import { DateOnly } from '../../ui/records/time.tsx';

type Payout = Row<'managePayouts'>;
type ColumnsProps = {
  programId: number;
  totals: NonNullable<Reply<'managePayouts'>['meta']['totals']> | undefined;
  /** What can be done with an open payout. */
  actions: (payout: Payout) => ReactNode;
};

export function payoutColumns({ programId, totals, actions }: ColumnsProps): Column<Payout>[] {
  return [
    {
      title: 'Partner',
      sortBy: 'partner_name',
      takesRest: true,
      cell: ({
        id,
        partner_name: name,
        payout_method_kind: kind,
        payout_method: masked,
        account_changed_at: changedAt,
      }) => (
        <>
          <Link
            to="/app/programs/$programId/payouts/$payoutId"
            params={{ programId, payoutId: String(id) }}
            className="font-medium hover:underline"
          >
            <NameWithAvatar name={name} />
          </Link>
          <div className="truncate pl-8 @min-[640px]:max-w-64 text-caption text-quiet">
            {kind ? `${PAYOUT_KIND_NAMES[kind]} ${masked ?? ''}` : `Payout ${id}`}
          </div>
          <AccountChanged at={changedAt} />
        </>
      ),
    },
    {
      title: 'Status',
      showFrom: 'medium',
      isStacked: true,
      cell: (payout) => (
        <>
          <StatusBadge status={payout.status} />
          {payout.reference && <div className="mt-1 text-xs text-quiet">{payout.reference}</div>}
          {payout.failure_reason && <div className="mt-1 text-xs text-bad">{payout.failure_reason}</div>}
        </>
      ),
    },
    {
      title: 'Amount',
      sortBy: 'amount_cents',
      isSortedDownFirst: true,
      isRightAligned: true,
      cell: (payout) => <Money cents={payout.amount_cents} currency={payout.currency} />,
      total: totals && <MoneyTotals totals={totals} amountOf={({ amount_cents: cents }) => cents} />,
    },
    {
      title: 'Created',
      sortBy: 'created_at',
      isSortedDownFirst: true,
      isRightAligned: true,
      showFrom: 'wide',
      isStacked: true,
      cell: ({ created_at: at }) => <DateOnly at={at} />,
    },
    {
      title: 'Paid',
      isRightAligned: true,
      showFrom: 'wide',
      cell: ({ paid_at: at }) => (at ? <DateOnly at={at} /> : <span className="text-quiet">–</span>),
    },
    {
      title: 'Actions',
      isTitleHidden: true,
      isRightAligned: true,
      showFrom: 'medium',
      isStacked: true,
      cell: (payout) =>
        payout.status === 'open' &&
        (payout.run_id === null ? actions(payout) : <RunLink {...{ programId }} runId={payout.run_id} size="small" />),
    },
  ];
}

/** The run in which the payout is approved and settled. */
export function RunLink({ programId, runId, size }: { programId: number; runId: number; size?: 'small' }) {
  return (
    <Link
      to="/app/programs/$programId/payouts/runs/$runId"
      params={{ programId, runId: String(runId) }}
      className={buttonClass({ size })}
    >
      Open run
    </Link>
  );
}
