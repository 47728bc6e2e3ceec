import type { CommissionKind } from '@svc/contract';
import type { Row } from '../../api/client.ts';
import { capitalize } from '../../rules/label.ts';
import { COMMISSION_STATUSES, REVIEW_STATUSES } from '../../rules/statuses.ts';
import { StatusBadge, statusOptions } from '../feedback/status-badge.tsx';
import type { Column } from '../lists/column.ts';
import { FilterSelect } from '../lists/filters.tsx';
import { Money } from './money.tsx';
import { PayoutLink } from './record-links.tsx';
import { DateOnly, Time } from './time.tsx';

export type Commission = Row<'manageCommissions'>;

type Viewer = 'brand' | 'partner';

/** Columns that the brand and its partners both see. */
export function commissionStatusColumn(viewer: Viewer): Column<Commission> {
  return {
    title: 'Status',
    showFrom: 'medium',
    isStacked: true,
    cell: (commission) => <CommissionStatus commission={commission} viewer={viewer} />,
  };
}
export const commissionAmountColumn: Column<Commission> = {
  title: 'Commission',
  sortBy: 'commission_cents',
  isSortedDownFirst: true,
  isRightAligned: true,
  cell: (commission) => <CommissionAmount commission={commission} />,
};
export const commissionRuleColumn: Column<Commission> = {
  title: 'Paid by',
  showFrom: 'wide',
  isHiddenByDefault: true,
  cell: ({ terms }) => (terms ? capitalize(terms) : '–'),
};
export const commissionDateColumn: Column<Commission> = {
  title: 'Date',
  sortBy: 'created_at',
  isSortedDownFirst: true,
  isRightAligned: true,
  showFrom: 'wide',
  isStacked: true,
  cell: ({ created_at: at }) => <DateOnly at={at} />,
};

export function CommissionStatusFilter({ viewer }: { viewer: Viewer }) {
  const statuses = viewer === 'brand' ? REVIEW_STATUSES : COMMISSION_STATUSES;
  return <FilterSelect name="status" label="All statuses" options={statusOptions(statuses)} />;
}

/** Why the hold does not end by itself. */
const HOLD_REASONS: Record<NonNullable<Commission['hold_reason']>, Record<Viewer, string>> = {
  self_referral: {
    brand: 'held for your review: the customer has the partner’s email address',
    partner: 'held for the brand’s review: the customer has your email address',
  },
  email_from_page: {
    brand: 'held for your review: only a web page reported the email address that matched this payment',
    partner: 'held for the brand’s review: the payment was matched only by an email address',
  },
  claimed_key: {
    brand: 'held for your review: only a web page connects this payment’s customer key with the partner',
    partner: 'held for the brand’s review: only a web page connects this payment with your link',
  },
  partner_blocked: {
    brand: 'held while the partner is blocked',
    partner: 'held while you are blocked in the program',
  },
};

/** The status and, below it, what a commission on hold waits for, why it was rejected, and the payout that paid for it. */
function CommissionStatus({ commission, viewer }: { commission: Commission; viewer: Viewer }) {
  const isOnHold = commission.stage === 'pending' && commission.status !== 'reversed';
  const isDue = Date.parse(commission.approve_after) <= Date.now();
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <StatusBadge status={commission.status} />
      {commission.rejection_reason && <span className="w-full text-xs text-quiet">{commission.rejection_reason}</span>}
      {commission.payout_id !== null && <InPayout commission={commission} viewer={viewer} />}
      {isOnHold && commission.hold_reason && (
        <span className="text-xs text-warn">{HOLD_REASONS[commission.hold_reason][viewer]}</span>
      )}
      {isOnHold && !commission.hold_reason && (
        <span className="text-xs text-quiet md:whitespace-nowrap">
          {isDue ? (
            'approval due'
          ) : (
            <>
              approves <Time at={commission.approve_after} isRelative />
            </>
          )}
        </span>
      )}
    </span>
  );
}

/** The payout that covers the commission. A refund afterwards does not change that it was paid. */
function InPayout({ commission, viewer }: { commission: Commission; viewer: Viewer }) {
  const { payout_id: payoutId, paid_at: paidAt, status } = commission;
  if (payoutId === null) return null;
  const link = (text: string) => (
    <PayoutLink viewer={viewer} payoutId={payoutId}>
      {text}
    </PayoutLink>
  );
  if (paidAt === null) return <span className="text-xs text-quiet">{link(`in payout ${payoutId}`)}</span>;
  return (
    <span className="text-xs text-quiet">
      {status === 'paid' ? '' : 'paid '}
      <DateOnly at={paidAt} />, {link(`payout ${payoutId}`)}
    </span>
  );
}

/** What is left after refunds, and the original amount when that is less. */
function CommissionAmount({ commission }: { commission: Commission }) {
  const { commission_cents: cents, deducted_cents: deducted, currency } = commission;
  return (
    <>
      <Money cents={cents - deducted} currency={currency} />
      {deducted > 0 && (
        <div className="text-caption text-quiet">
          of <Money cents={cents} currency={currency} />
        </div>
      )}
    </>
  );
}

const NAMES: Record<CommissionKind, string> = {
  sale: 'Sale',
  override: 'Override',
  lead: 'Lead',
  bonus: 'Bonus',
  adjustment: 'Adjustment',
};

/** What a commission is called in lists: its transaction or, without one, what it is paid for and why. */
export function commissionName(commission: {
  kind: CommissionKind;
  transaction_id: string | null;
  reason: string | null;
}): string {
  if (commission.transaction_id !== null) return commission.transaction_id;
  return commission.reason === null ? NAMES[commission.kind] : `${NAMES[commission.kind]}: ${commission.reason}`;
}
