import type { Reply } from '../../api/client.ts';
import type { Column } from '../../ui/lists/column.ts';
import { NameWithAvatar } from '../../ui/records/avatar.tsx';
import {
  type Commission,
  commissionAmountColumn,
  commissionDateColumn,
  commissionName,
  commissionRuleColumn,
  commissionStatusColumn,
} from '../../ui/records/commission-columns.tsx';
import { Money } from '../../ui/records/money.tsx';
import { MoneyTotals } from '../../ui/records/money-totals.tsx';
import { CustomerLink, PartnerLink, TransactionLink } from '../../ui/records/record-links.tsx';
import { CommissionActions } from './commission-actions.tsx';

export type CommissionTotals = NonNullable<Reply<'manageCommissions'>['meta']['totals']>;

/** The columns of the brand’s list, with what everything that matches the filters adds up to. */
export function commissionColumns(programId: number, totals: CommissionTotals | undefined): Column<Commission>[] {
  return [
    {
      title: 'Partner',
      sortBy: 'partner_name',
      takesRest: true,
      cell: ({ partner_id: id, partner_name: name }) => (
        <PartnerLink programId={programId} partnerId={id}>
          <NameWithAvatar name={name} />
        </PartnerLink>
      ),
    },
    {
      title: 'Customer',
      showFrom: 'wide',
      cell: ({ customer_id: id, customer_key: key }) =>
        id ? <CustomerLink programId={programId} customerId={id} label={key ?? `Customer ${id}`} /> : '–',
    },
    {
      title: 'Transaction',
      showFrom: 'medium',
      isStacked: true,
      cell: (commission) =>
        commission.transaction_id === null ? (
          commissionName(commission)
        ) : (
          <TransactionLink programId={programId} transactionId={commission.transaction_id} />
        ),
    },
    {
      title: 'Sale',
      sortBy: 'sale_cents',
      isSortedDownFirst: true,
      isRightAligned: true,
      showFrom: 'wide',
      cell: ({ sale_cents: cents, sale_currency: currency }) =>
        cents === null || currency === null ? '–' : <Money cents={cents} currency={currency} />,
    },
    { title: 'Rate', isRightAligned: true, showFrom: 'widest', cell: (commission) => <Rate commission={commission} /> },
    commissionStatusColumn('brand'),
    {
      ...commissionAmountColumn,
      total: totals && (
        <MoneyTotals
          totals={totals}
          amountOf={({ commission_cents, deducted_cents }) => commission_cents - deducted_cents}
        />
      ),
    },
    commissionRuleColumn,
    commissionDateColumn,
    {
      title: 'Actions',
      isTitleHidden: true,
      isRightAligned: true,
      cell: (commission) => <CommissionActions programId={programId} commission={commission} />,
    },
  ];
}

/** The percentage and, where it is not the whole amount, what it is computed from. Fixed amounts are what was earned. */
function Rate({ commission }: { commission: Commission }) {
  const { commission_rate: rate, base_cents: base, sale_cents: paid, sale_currency: currency } = commission;
  if (rate === null) return '–';
  if (base === null || currency === null) return 'Fixed';
  return (
    <>
      {rate}%
      {base !== paid && (
        <div className="text-caption whitespace-nowrap text-quiet">
          of <Money cents={base} currency={currency} />
        </div>
      )}
    </>
  );
}
