import type { ReactNode } from 'react';

export type Column<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  isRightAligned?: boolean;
  isHiddenOnMobile?: boolean;
  /** For columns of buttons or checkboxes: only screen readers read the title. */
  isTitleHidden?: boolean;
};

type TableProps<Row> = {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string | number;
};

/** A table that scrolls horizontally on its own when it is wider than the screen, also by keyboard. */
export function Table<Row>({ label, columns, rows, rowKey }: TableProps<Row>) {
  const classOf = ({ isRightAligned, isHiddenOnMobile }: Column<Row>) =>
    `px-2 py-3 first:pl-4 last:pr-4 md:px-4 md:first:pl-5 md:last:pr-5 ${isRightAligned ? 'text-right tabular-nums' : 'text-left'} ${isHiddenOnMobile ? 'hidden md:table-cell' : ''}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="relative overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line text-[0.8125rem] text-quiet">
            {columns.map((column) => (
              <th key={column.title} scope="col" className={`${classOf(column)} py-2.5! font-medium whitespace-nowrap`}>
                {column.isTitleHidden ? <span className="sr-only">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-b border-line last:border-0 hover:bg-sunken/50">
              {columns.map((column) => (
                <td key={column.title} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
