import type { Row } from '../../api/client.ts';
import { StatusBadge } from '../feedback/status-badge.tsx';
import type { Column } from '../lists/table.tsx';
import { Money } from './money.tsx';
import { Time } from './time.tsx';

export type Sale = Row<'manageSales'>;

/** Columns that the brand and its partners both see. */
export const saleColumns: Column<Sale>[] = [
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Amount', isRightAligned: true, cell: (sale) => <SaleAmount sale={sale} /> },
  { title: 'Date', isRightAligned: true, isHiddenOnMobile: true, cell: ({ created_at: at }) => <Time at={at} /> },
];

/** The amount paid and, below it, what was refunded and what is disputed. */
function SaleAmount({ sale }: { sale: Sale }) {
  const { amount_cents: cents, refunded_cents: taken, disputed_cents: disputed, currency } = sale;
  const refunded = taken - disputed;
  return (
    <>
      <Money cents={cents} currency={currency} />
      {refunded > 0 && (
        <div className="text-[0.8125rem]">
          <Money cents={-refunded} currency={currency} />
        </div>
      )}
      {disputed > 0 && (
        <div className="text-[0.8125rem]">
          <Money cents={-disputed} currency={currency} /> disputed
        </div>
      )}
    </>
  );
}
