import type { Column } from '../../ui/lists/table.tsx';
import {
  type Commission,
  commissionAmountColumn,
  commissionDateColumn,
  commissionStatusColumn,
} from '../../ui/records/commission-columns.tsx';
import { TransactionLink } from '../../ui/records/record-links.tsx';
import { CommissionActions, canReject } from './commission-actions.tsx';

type ColumnsProps = {
  programId: number;
  selected: ReadonlySet<number>;
  setSelected: (ids: ReadonlySet<number>) => void;
};

/** The columns of the brand’s list, with a checkbox for rows that can be approved or rejected. */
export function commissionColumns({ programId, selected, setSelected }: ColumnsProps): Column<Commission>[] {
  const toggle = (id: number) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  return [
    {
      title: 'Select',
      isTitleHidden: true,
      cell: (commission) => (
        <input
          type="checkbox"
          aria-label={`Select ${commission.transaction_id}`}
          className="size-4 accent-accent"
          checked={selected.has(commission.id)}
          disabled={!canReject(commission)}
          onChange={() => toggle(commission.id)}
        />
      ),
    },
    { title: 'Partner', cell: ({ partner_name: name }) => <span className="font-medium">{name}</span> },
    {
      title: 'Transaction',
      isHiddenOnMobile: true,
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
