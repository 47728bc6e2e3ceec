import { PAYOUT_KIND_NAMES } from '@svc/contract';
import type { Reply, Row } from '../../api/client.ts';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import type { Column } from '../../ui/lists/column.ts';
import { AccountChanged } from '../../ui/records/account-changed.tsx';
import { NameWithAvatar } from '../../ui/records/avatar.tsx';
import { Money } from '../../ui/records/money.tsx';
import { MoneyTotals } from '../../ui/records/money-totals.tsx';

type Balance = Row<'manageBalances'>;
type Totals = NonNullable<Reply<'manageBalances'>['meta']['totals']>;
type AmountName = 'pending_cents' | 'approved_cents' | 'carried_cents' | 'payable_cents';

type ColumnsProps = {
  totals: Totals | undefined;
  /** Left out for people who may not create payouts. */
  onCreate: ((balance: Balance) => void) | undefined;
};

export function balanceColumns({ totals, onCreate }: ColumnsProps): Column<Balance>[] {
  const amount = (title: string, name: AmountName, more: Partial<Column<Balance>> = {}): Column<Balance> => ({
    title,
    isRightAligned: true,
    showFrom: 'medium',
    cell: (balance) => <Money cents={balance[name]} currency={balance.currency} />,
    total: totals && <MoneyTotals totals={totals} amountOf={(sum) => sum[name]} />,
    ...more,
  });
  return [
    { title: 'Partner', sortBy: 'partner_name', takesRest: true, cell: (balance) => <Payee balance={balance} /> },
    amount('On hold', 'pending_cents', { sortBy: 'pending_cents', isSortedDownFirst: true }),
    amount('Approved', 'approved_cents', { showFrom: 'wide' }),
    amount('Carried over', 'carried_cents', { showFrom: 'wide' }),
    amount('Payable', 'payable_cents', {
      sortBy: 'payable_cents',
      isSortedDownFirst: true,
      showFrom: undefined,
      cell: ({ payable_cents: cents, currency }) => (
        <strong className="font-semibold">
          <Money cents={cents} currency={currency} />
        </strong>
      ),
    }),
    {
      title: 'Actions',
      isTitleHidden: true,
      isRightAligned: true,
      showFrom: 'medium',
      isStacked: true,
      cell: (balance) =>
        onCreate && (
          <Button
            size="small"
            disabled={balance.payable_cents <= 0}
            aria-label={`Pay by hand: ${balance.partner_name} in ${balance.currency}`}
            onClick={() => onCreate(balance)}
          >
            Pay by hand…
          </Button>
        ),
    },
  ];
}

/** Who is paid, and where the money goes. */
function Payee({ balance }: { balance: Balance }) {
  const {
    partner_name: name,
    partner_status: status,
    payout_method_kind: kind,
    payout_method: masked,
    account_changed_at: changedAt,
  } = balance;
  const method = kind && `${PAYOUT_KIND_NAMES[kind]} ${masked}`;
  return (
    <>
      <NameWithAvatar name={name} />
      {status !== null && status !== 'active' && (
        <div className="pl-8">
          <StatusBadge status={status} />
        </div>
      )}
      <div
        className={`truncate pl-8 @min-[640px]:max-w-64 text-caption ${method ? 'text-quiet' : 'text-warn'}`}
        title={method ?? undefined}
      >
        {method ?? 'No payout method yet'}
      </div>
      <AccountChanged at={changedAt} />
    </>
  );
}
