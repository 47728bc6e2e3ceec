import type { ReactNode } from 'react';

export type Column<Row> = {
  title: string;
  show: (row: Row) => ReactNode;
  /** Numbers stand at the right, one under the other. */
  isNumber?: boolean;
  /** Left out on phones. */
  isExtra?: boolean;
  /** For columns of buttons or boxes: the title is only read out. */
  isTitleHidden?: boolean;
};

type TableProps<Row> = { label: string; columns: Column<Row>[]; rows: Row[]; keyOf: (row: Row) => string | number };

/** Rows under titles. A table that is wider than the screen scrolls inside its own frame, by keyboard too. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  const classOf = ({ isNumber, isExtra }: Column<Row>) =>
    `px-2 py-3 first:pl-4 last:pr-4 md:px-4 md:first:pl-5 md:last:pr-5 ${isNumber ? 'text-right tabular-nums' : 'text-left'} ${isExtra ? 'hidden md:table-cell' : ''}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
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
            <tr key={keyOf(row)} className="border-b border-line last:border-0 hover:bg-sunken/50">
              {columns.map((column) => (
                <td key={column.title} className={classOf(column)}>
                  {column.show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
