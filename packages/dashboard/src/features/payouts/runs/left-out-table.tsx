import type { LeftOut } from '@svc/contract';
import type { Column } from '../../../ui/lists/column.ts';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { Money } from '../../../ui/records/money.tsx';
import { PartnerLink } from '../../../ui/records/record-links.tsx';
import { OMISSIONS } from './run-words.ts';

type Omission = Omit<LeftOut, 'amount_cents'> & { amount_cents: number };

/** Who is not paid, why, and what to do about it. */
export function LeftOutTable({ programId, rows }: { programId: number; rows: Omission[] }) {
  const columns: Column<Omission>[] = [
    {
      title: 'Partner',
      cell: ({ partner_id: id, partner_name: name }) => (
        <PartnerLink programId={programId} partnerId={id}>
          {name}
        </PartnerLink>
      ),
    },
    {
      title: 'Why',
      isStacked: true,
      showFrom: 'medium',
      cell: ({ reason, note }) => (
        <>
          {OMISSIONS[reason].why}
          {note && <div className="text-caption text-quiet">{note}</div>}
        </>
      ),
    },
    {
      title: 'What to do',
      isStacked: true,
      showFrom: 'wide',
      cell: ({ reason }) => <span className="text-caption text-quiet">{OMISSIONS[reason].todo}</span>,
    },
    {
      title: 'Keeps',
      isRightAligned: true,
      cell: ({ amount_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
    },
  ];
  return (
    <DataTable
      label="Left out"
      rows={rows}
      rowKey={({ partner_id: id, currency }) => `${id} ${currency}`}
      columns={columns}
    />
  );
}
