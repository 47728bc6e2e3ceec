import type { Row as TableRowModel } from '@tanstack/react-table';
import { ChevronRight } from 'lucide-react';
import { type MouseEvent, type ReactNode, useId } from 'react';
import type { Column } from './column.ts';
import type { Features, TableSelection } from './table-features.ts';

export const CELL = 'h-11 px-2 py-1.5 first:pl-4 last:pr-4 md:px-2.5 md:first:pl-5 md:last:pr-5';
/** Keeps buttons in view while the table scrolls. */
export const STICKY = 'sticky right-0 bg-card';

export function isSticky<Row>({ isTitleHidden }: Column<Row>): boolean {
  return Boolean(isTitleHidden);
}

export function cellClass<Row>({ isRightAligned, takesRest }: Column<Row>): string {
  return `${CELL} ${isRightAligned ? 'text-right tabular-nums' : 'text-left'} ${takesRest ? '@max-[640px]:w-full @max-[640px]:max-w-0' : ''}`;
}

type TableRowProps<Row extends object> = {
  row: TableRowModel<Features, Row>;
  shown: Column<Row>[];
  stacked: Column<Row>[];
  selecting: TableSelection<Row> | undefined;
  hasCorner: boolean;
  details: RowDetails<Row> | undefined;
  /** Whether its details are shown. */
  isOpen: boolean;
  onToggle: () => void;
};

/** What a row shows below itself on request. */
export type RowDetails<Row> = {
  /** How its button is read to screen readers: “Details of order_17”. */
  nameOf: (row: Row) => string;
  show: (row: Row) => ReactNode;
};

export function TableRow<Row extends object>(props: TableRowProps<Row>) {
  const { row, shown, stacked, selecting, hasCorner, details, isOpen, onToggle } = props;
  const detailsId = useId();
  const item = row.original;
  const isSelected = selecting !== undefined && row.getIsSelected();
  const last = shown.at(-1);
  const spansCorner = (index: number) => spansCornerOf(last, hasCorner) && index === shown.length - 1;
  const cells = (
    <tr
      onClick={openRow}
      data-selected={isSelected}
      className="group border-b border-line last:border-0 hover:bg-hover has-[td[data-first=true]_a]:cursor-pointer has-[[data-opens]]:cursor-pointer data-[selected=true]:bg-selected"
    >
      {selecting && (
        <td className={`${CELL} w-0`}>
          <input
            type="checkbox"
            aria-label={`Select ${selecting.nameOf(item)}`}
            className="block size-4 accent-accent"
            checked={isSelected}
            disabled={!row.getCanSelect()}
            onChange={() => undefined}
            // A click carries the Shift key, which a change does not.
            onClick={(event) => row.getToggleSelectedHandler()(event)}
          />
        </td>
      )}
      {shown.map((column, index) => (
        <td
          key={column.title}
          colSpan={spansCorner(index) ? 2 : undefined}
          data-first={index === 0}
          className={`${cellClass(column)} ${isSticky(column) ? `${STICKY} group-hover:bg-hover group-data-[selected=true]:bg-selected` : ''}`}
        >
          {index === 0 && details ? (
            <WithDetailsButton name={details.nameOf(item)} {...{ isOpen, onToggle, detailsId }}>
              {column.cell(item)}
            </WithDetailsButton>
          ) : (
            column.cell(item)
          )}
          {index === 0 && stacked.length > 0 && (
            // Below the name, not below the avatar beside it.
            <dl className="mt-1 space-y-0.5 text-caption text-quiet [td:has(>:not(dl)_[data-avatar=medium])>&]:pl-11 [td:has(>:not(dl)_[data-avatar=small])>&]:pl-8">
              {stacked.map((below) => (
                <div key={below.title}>
                  <dt className={below.isTitledBelow ? 'float-left mr-1' : 'sr-only'}>{below.title}</dt>
                  <dd>{below.cell(item)}</dd>
                </div>
              ))}
            </dl>
          )}
        </td>
      ))}
      {hasCorner && !spansCornerOf(last, hasCorner) && <td />}
    </tr>
  );
  if (!details || !isOpen) return cells;
  return (
    <>
      {cells}
      <tr id={detailsId} className="border-b border-line last:border-0">
        <td colSpan={shown.length + Number(hasCorner) + Number(selecting !== undefined)} className="p-4 pt-2 md:px-5">
          {/* Long lines scroll in their own boxes instead of widening the table. */}
          <div className="contain-inline-size">{details.show(item)}</div>
        </td>
      </tr>
    </>
  );
}

type WithDetailsButtonProps = {
  name: string;
  isOpen: boolean;
  onToggle: () => void;
  detailsId: string;
  children: ReactNode;
};

/** The first cell of a row with details, beside the button that shows them. */
function WithDetailsButton({ name, isOpen, onToggle, detailsId, children }: WithDetailsButtonProps) {
  return (
    <div className="flex items-start gap-1.5">
      <button
        type="button"
        data-opens
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailsId : undefined}
        aria-label={`Details of ${name}`}
        onClick={onToggle}
        className="-my-0.5 -ml-1.5 grid size-6 shrink-0 place-items-center rounded text-quiet hover:bg-sunken hover:text-ink"
      >
        <ChevronRight size={16} aria-hidden className={isOpen ? 'rotate-90' : ''} />
      </button>
      <div className="min-w-0">{children}</div>
    </div>
  );
}

/** Buttons use the space below the column menu; values stay below the title of their column. */
function spansCornerOf<Row>(last: Column<Row> | undefined, hasCorner: boolean): boolean {
  return hasCorner && last !== undefined && isSticky(last);
}

/** A click beside links, buttons and selected text follows the link in the first column, with the same modifier keys, or shows the details. */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const target = event.target as Element;
  if (target.closest('a, button, input, label, [role="menu"], [role="dialog"]')) return;
  if (!event.currentTarget.contains(target) || String(getSelection())) return;
  const opener = event.currentTarget.querySelector('[data-opens], td[data-first="true"] a[href]');
  opener?.dispatchEvent(new window.MouseEvent('click', event.nativeEvent));
}

type TotalsRowProps<Row> = { columns: Column<Row>[]; label: string; canSelect: boolean; hasCorner: boolean };

/** The totals of everything that matches the filters, not only of this page. */
export function TotalsRow<Row>({ columns, label, canSelect, hasCorner }: TotalsRowProps<Row>) {
  const [first, ...others] = columns;
  return (
    <tfoot>
      <tr className="border-t border-line bg-sunken/50 font-medium">
        <th scope="row" colSpan={canSelect ? 2 : 1} className={`${CELL} text-left font-medium`}>
          {label} {first?.total}
        </th>
        {others.map((column, index) => (
          <td
            key={column.title}
            colSpan={spansCornerOf(column, hasCorner) && index === others.length - 1 ? 2 : undefined}
            className={cellClass(column)}
          >
            {column.total}
          </td>
        ))}
        {hasCorner && !spansCornerOf(others.at(-1), hasCorner) && <td />}
      </tr>
    </tfoot>
  );
}
