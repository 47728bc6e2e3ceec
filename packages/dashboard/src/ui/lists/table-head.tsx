import type { ReactTable } from '@tanstack/react-table';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Column } from './column.ts';
import type { Features } from './table-features.ts';
import { CELL, cellClass, isSticky, STICKY } from './table-rows.tsx';

type TableHeadProps<Row extends object> = {
  table: ReactTable<Features, Row>;
  columns: Column<Row>[];
  canSelect: boolean;
  canSort: boolean;
  children: ReactNode;
};

const SORT_ICONS = { asc: ArrowUp, desc: ArrowDown, none: ChevronsUpDown };
const ARIA_SORT = { asc: 'ascending', desc: 'descending', none: undefined } as const;

/** The titles of the columns, with a button to sort where the server can. */
export function TableHead<Row extends object>({ table, columns, canSelect, canSort, children }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr className="border-b border-line text-caption text-quiet">
        {canSelect && (
          <th scope="col" className={`${CELL} w-0 h-10!`}>
            <SelectPage table={table} />
          </th>
        )}
        {table.getVisibleLeafColumns().map((shown) => {
          const column = columns.find(({ title }) => title === shown.id);
          if (!column) return null;
          const direction = shown.getIsSorted() || 'none';
          const Icon = SORT_ICONS[direction];
          return (
            <th
              key={shown.id}
              scope="col"
              aria-sort={ARIA_SORT[direction]}
              className={`${cellClass(column)} h-10! font-medium whitespace-nowrap ${isSticky(column) ? STICKY : ''}`}
            >
              {canSort && column.sortBy ? (
                <button
                  type="button"
                  onClick={shown.getToggleSortingHandler()}
                  className={`relative block rounded hover:text-ink ${direction === 'none' ? '' : 'text-ink'} ${column.isRightAligned ? 'ml-auto' : ''}`}
                >
                  {column.title}
                  {/* In the space between the columns, so that it takes none from the numbers. */}
                  <Icon
                    size={13}
                    aria-hidden
                    className={`absolute top-1/2 -translate-y-1/2 ${column.isRightAligned ? 'right-full mr-1' : 'left-full ml-1'} ${direction === 'none' ? 'opacity-60' : ''}`}
                  />
                </button>
              ) : (
                <span className={column.isTitleHidden ? 'sr-only' : 'block'}>{column.title}</span>
              )}
            </th>
          );
        })}
        {children && <th className="w-0 py-1! pr-3 text-right">{children}</th>}
      </tr>
    </thead>
  );
}

/** Selects all rows of the page. */
function SelectPage<Row extends object>({ table }: { table: ReactTable<Features, Row> }) {
  const box = useRef<HTMLInputElement>(null);
  const isAll = table.getIsAllRowsSelected();
  const isSome = table.getSelectedRowIds().length > 0 && !isAll;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label="Select all rows on this page"
      className="block size-4 accent-accent"
      checked={isAll}
      disabled={!table.getRowModel().rows.some((row) => row.getCanSelect())}
      onChange={() => table.toggleAllRowsSelected(!isAll, { deselectAll: true })}
    />
  );
}
