import { type ColumnDef, type RowSelectionState, useTable } from '@tanstack/react-table';
import { type ReactNode, useState } from 'react';
import { type Column, type ColumnChoice, droppable, isShown, isStackedIn } from './column.ts';
import { useDroppedColumns } from './fitting-columns.ts';
import type { Selection } from './selection.ts';
import { type Features, features, type TableSelection } from './table-features.ts';
import { TableHead } from './table-head.tsx';
import { type RowDetails, TableRow, TotalsRow } from './table-rows.tsx';
import { useWidth } from './table-width.ts';

export type DataTableProps<Row> = {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string | number;
  /** The column that the rows are sorted by, as the server calls it; after a minus from high to low. */
  sort?: string;
  onSort?: (sort: string | undefined) => void;
  selecting?: TableSelection<Row>;
  choice?: ColumnChoice;
  /** Shown at the end of the titles, such as the column menu. */
  corner?: (shown: ReadonlySet<string>) => ReactNode;
  details?: RowDetails<Row>;
  /** The title of the row of totals, which appears when a column has one. */
  totalsLabel?: string;
};

const MIN_CORNER_WIDTH = 480;

/**
 * A table that leaves out or stacks less important columns when it is narrow, and scrolls on its own when the rest does not fit.
 * Clicking anywhere in a row opens the link in its first column, or the details below it.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, sort, onSort, selecting, choice = {}, corner, totalsLabel = 'Total' } = props;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [container, width] = useWidth<HTMLElement>();
  const optional = droppable(columns, choice);
  const dropped = useDroppedColumns(container, optional, width, choice);
  const room = { choice, width, dropped };
  const keysOfPage = rows.map((row) => String(rowKey(row)));
  const table = useTable({
    features,
    columns: columns.map((column) => definitionOf(column)),
    data: rows,
    getRowId: (row) => String(rowKey(row)),
    manualSorting: true,
    enableSortingRemoval: true,
    enableRowSelection: (row) => selecting?.isSelectable?.(row.original) ?? true,
    state: {
      columnVisibility: Object.fromEntries(columns.map((column) => [column.title, isShown(column, room)])),
      rowSelection: selecting ? selectedRows(selecting.selection, keysOfPage) : {},
      sorting: sortingOf(columns, sort),
    },
    onRowSelectionChange: (update) => {
      const before = selecting ? selectedRows(selecting.selection, keysOfPage) : {};
      const after = typeof update === 'function' ? update(before) : update;
      selecting?.onChange({ keys: new Set(Object.keys(after)), isAll: false });
    },
    onSortingChange: (update) => {
      const [first] = typeof update === 'function' ? update(sortingOf(columns, sort)) : update;
      const sortBy = columns.find(({ title }) => title === first?.id)?.sortBy;
      onSort?.(sortBy && `${first?.desc ? '-' : ''}${sortBy}`);
    },
  });
  // Narrow tables have no room for it.
  const hasCorner = corner !== undefined && width >= MIN_CORNER_WIDTH;
  const shown = columns.filter((column) => isShown(column, room));
  const stacked = columns.filter((column) => isStackedIn(column, room));
  const hasTotals = shown.some(({ total }) => total !== undefined);
  return (
    <section
      ref={container}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
      className="@container relative overflow-x-auto first:rounded-t-xl last:rounded-b-xl"
    >
      <table className="w-full border-collapse text-sm">
        <TableHead table={table} columns={columns} canSelect={selecting !== undefined} canSort={onSort !== undefined}>
          {hasCorner && corner(new Set(shown.map(({ title }) => title)))}
        </TableHead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <TableRow
              key={row.id}
              {...{ row, shown, stacked, selecting }}
              hasCorner={hasCorner}
              details={props.details}
              isOpen={opened.has(row.id)}
              onToggle={() => setOpened(toggled(opened, row.id))}
            />
          ))}
        </tbody>
        {hasTotals && (
          <TotalsRow columns={shown} label={totalsLabel} canSelect={Boolean(selecting)} hasCorner={hasCorner} />
        )}
      </table>
    </section>
  );
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return keys.has(key) ? new Set([...keys].filter((other) => other !== key)) : new Set([...keys, key]);
}

function definitionOf<Row extends object>(column: Column<Row>): ColumnDef<Features, Row> {
  return {
    id: column.title,
    header: column.title,
    cell: ({ row }) => column.cell(row.original),
    // Only columns with a value can be sorted. The server sorts, so it is never read.
    accessorFn: () => null,
    enableSorting: column.sortBy !== undefined,
    sortDescFirst: column.isSortedDownFirst ?? false,
  };
}

function sortingOf<Row>(columns: Column<Row>[], sort: string | undefined) {
  const isDown = sort?.startsWith('-') ?? false;
  const column = columns.find(({ sortBy }) => sortBy !== undefined && sortBy === sort?.replace(/^-/, ''));
  return column ? [{ id: column.title, desc: isDown }] : [];
}

function selectedRows({ keys, isAll }: Selection, keysOfPage: string[]): RowSelectionState {
  return Object.fromEntries((isAll ? [...keys, ...keysOfPage] : [...keys]).map((key) => [key, true]));
}
