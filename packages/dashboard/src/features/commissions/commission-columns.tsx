import type { Column } from '../../ui/lists/column.ts';
import { NameWithAvatar } from '../../ui/records/avatar.tsx';
import {
  type Commission,
  commissionAmountColumn,
  commissionDateColumn,
  commissionStatusColumn,
} from '../../ui/records/commission-columns.tsx';
import { TransactionLink } from '../../ui/records/record-links.tsx';
import { CommissionActions } from './commission-actions.tsx';

/** The columns of the brand’s list. */
export function commissionColumns(programId: number): Column<Commission>[] {
  return [
    { title: 'Partner', cell: ({ partner_name: name }) => <NameWithAvatar name={name} /> },
    {
      title: 'Transaction',
      showFrom: 'medium',
      isStacked: true,
      cell: ({ transaction_id: id }) => <TransactionLink programId={programId} transactionId={id} />,
    },
    commissionStatusColumn('brand'),
    commissionAmountColumn,
    commissionDateColumn,
    {
      title: 'Actions',
      isTitleHidden: true,
      isRightAligned: true,
      cell: (commission) => <CommissionActions programId={programId} commission={commission} />,
    },
  ];
}
