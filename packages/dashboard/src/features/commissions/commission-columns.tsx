import { Link } from '@tanstack/react-router';
import type { Row } from '../../api/client.ts';
import { brandPath } from '../../ui/layout/urls.ts';
import type { Column } from '../../ui/lists/table.tsx';
import { CommissionLeft, CommissionState } from '../../ui/records/sale-cells.tsx';
import { Time } from '../../ui/records/time.tsx';
import { CommissionActions } from './commission-actions.tsx';

export type Commission = Row<'manageCommissions'>;

type Choosing = { programId: number; chosen: ReadonlySet<number>; setChosen: (ids: ReadonlySet<number>) => void };

/** Only what is not paid or rejected yet can be settled. */
const canBeSettled = ({ stage, status }: Commission) =>
  (stage === 'pending' || stage === 'approved') && status !== 'reversed';

export function commissionColumns({ programId, chosen, setChosen }: Choosing): Column<Commission>[] {
  const toggle = (id: number) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return [
    {
      title: 'Choose',
      isTitleHidden: true,
      show: (commission) => (
        <input
          type="checkbox"
          aria-label={`Choose ${commission.transaction_id}`}
          className="size-4 accent-accent"
          checked={chosen.has(commission.id)}
          disabled={!canBeSettled(commission)}
          onChange={() => toggle(commission.id)}
        />
      ),
    },
    { title: 'Partner', show: ({ partner_name: name }) => <span className="font-medium">{name}</span> },
    {
      title: 'Transaction',
      isExtra: true,
      show: ({ transaction_id: id }) => (
        <Link
          to={brandPath(programId, 'explain')}
          search={{ by: 'transaction_id', q: id } as never}
          className="font-mono text-[0.8125rem] break-all hover:underline"
        >
          {id}
        </Link>
      ),
    },
    {
      title: 'State',
      show: (commission) => <CommissionState commission={commission} />,
    },
    {
      title: 'Commission',
      isNumber: true,
      show: (commission) => <CommissionLeft commission={commission} />,
    },
    { title: 'When', isNumber: true, isExtra: true, show: ({ created_at: at }) => <Time at={at} /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      isNumber: true,
      show: (commission) => <CommissionActions programId={programId} commission={commission} />,
    },
  ];
}
