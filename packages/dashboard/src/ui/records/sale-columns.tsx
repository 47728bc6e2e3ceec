import type { Row } from '../../api/client.ts';
import { formatMoney } from '../../rules/money.ts';
import { StatusBadge } from '../feedback/status-badge.tsx';
import type { Column } from '../lists/column.ts';
import { Money } from './money.tsx';
import { DateOnly } from './time.tsx';

export type Sale = Row<'manageSales'>;

/** Columns that the brand and its partners both see. */
export const saleColumns: Column<Sale>[] = [
  { title: 'Sub-ID', showFrom: 'widest', cell: ({ sub }) => sub },
  { title: 'Status', showFrom: 'medium', isStacked: true, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Amount',
    sortBy: 'amount_cents',
    isSortedDownFirst: true,
    isRightAligned: true,
    cell: (sale) => <SaleAmount sale={sale} />,
  },
  {
    title: 'Date',
    sortBy: 'created_at',
    isSortedDownFirst: true,
    isRightAligned: true,
    showFrom: 'wide',
    isStacked: true,
    cell: ({ created_at: at }) => <DateOnly at={at} />,
  },
];

/** The amount paid and, below it, its parts, what the commission is computed from, what was refunded and what is disputed. */
function SaleAmount({ sale }: { sale: Sale }) {
  const { amount_cents: cents, base_cents: base, refunded_cents: taken, disputed_cents: disputed, currency } = sale;
  const refunded = taken - disputed;
  const parts = partsOf(sale);
  return (
    <>
      <Money cents={cents} currency={currency} />
      {parts.length > 0 && <div className="text-caption text-quiet">incl. {parts.join(', ')}</div>}
      {base !== null && base !== cents && (
        <div className="text-caption text-quiet">
          commission on <Money cents={base} currency={currency} />
        </div>
      )}
      {refunded > 0 && (
        <div className="text-caption">
          <Money cents={-refunded} currency={currency} />
        </div>
      )}
      {disputed > 0 && (
        <div className="text-caption">
          <Money cents={-disputed} currency={currency} /> disputed
        </div>
      )}
    </>
  );
}

/** Tax and shipping, if there are any. */
function partsOf({ tax_cents: tax, shipping_cents: shipping, currency }: Sale): string[] {
  return [
    ...(tax ? [`${formatMoney(tax, currency)} tax`] : []),
    ...(shipping ? [`${formatMoney(shipping, currency)} shipping`] : []),
  ];
}
