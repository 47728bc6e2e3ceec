import { PAYOUT_KIND_NAMES, type PayoutKind } from '@svc/contract';
import { Link } from '@tanstack/react-router';
import type { Run } from '../../../api/payout-runs.ts';
import { StatusBadge } from '../../../ui/feedback/status-badge.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import type { Column } from '../../../ui/lists/column.ts';
import { Money } from '../../../ui/records/money.tsx';

type RunPayout = Run['payouts'][number];
type ColumnsProps = {
  programId: number;
  isDraft: boolean;
  /** Only for people who may make another draft. */
  onLeaveOut: ((payout: RunPayout) => void) | undefined;
};

const STATUS: Column<RunPayout> = {
  title: 'Status',
  showFrom: 'medium',
  isStacked: true,
  cell: ({ status, reference, failure_code: code, failure_reason: reason }) => (
    <>
      <StatusBadge status={status} />
      {reference && <div className="mt-1 text-xs text-quiet">{reference}</div>}
      {reason && (
        <div className="mt-1 max-w-64 text-xs text-bad">
          {code && `${code}: `}
          {reason}
        </div>
      )}
    </>
  ),
};

export function runPayoutColumns({ programId, isDraft, onLeaveOut }: ColumnsProps): Column<RunPayout>[] {
  return [
    {
      title: 'Partner',
      cell: ({ id, partner_name: name }) => (
        <Link
          to="/app/programs/$programId/payouts/$payoutId"
          params={{ programId, payoutId: String(id) }}
          className="font-medium hover:underline"
        >
          {name}
        </Link>
      ),
    },
    {
      title: 'Paid to',
      showFrom: 'medium',
      isStacked: true,
      cell: ({ method, not_in_file: why }) => (
        <>
          {method ? (
            <span className="text-caption text-quiet">
              {PAYOUT_KIND_NAMES[method.kind as PayoutKind]} {method.masked}
            </span>
          ) : (
            <span className="text-caption text-quiet">The account was deleted</span>
          )}
          {why && <div className="text-caption text-warn">In no file: {why}</div>}
        </>
      ),
    },
    // All payouts of a draft are open.
    ...(isDraft ? [] : [STATUS]),
    {
      title: 'Amount',
      isRightAligned: true,
      cell: ({ amount_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
    },
    ...(isDraft && onLeaveOut
      ? [
          {
            title: 'Actions',
            isTitleHidden: true,
            isRightAligned: true,
            showFrom: 'medium',
            isStacked: true,
            cell: (payout: RunPayout) => (
              <Button size="small" aria-label={`Leave out ${payout.partner_name}`} onClick={() => onLeaveOut(payout)}>
                Leave out…
              </Button>
            ),
          } as const,
        ]
      : []),
  ];
}
