import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QueryState } from '../feedback/query-state.tsx';
import { Card } from '../layout/card.tsx';
import { type Column, isOptional } from './column.ts';
import { ColumnMenu, useColumnChoice } from './column-menu.tsx';
import { DataTable } from './data-table.tsx';
import { Pager } from './pager.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { TableSelection } from './table-features.ts';
import type { RowDetails } from './table-rows.tsx';

type Page<Row> = { data: Row[]; meta: { next_cursor: string | null } };

/** Rows that can be selected, and what can be done with them. */
type BulkSelection<Row> = TableSelection<Row> & {
  /** How many rows match the filters, if all of them can be selected at once. */
  matching?: number;
  actions: ReactNode;
};

export type ListProps<Row> = {
  label: string;
  query: UseQueryResult<Page<Row>, Error>;
  columns: Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** Filters and actions above the rows. */
  toolbar?: ReactNode;
  /** Shown instead of the table when there are no rows. */
  empty: ReactNode;
  /** The column that the rows are sorted by, as the server calls it; after a minus from high to low. */
  sort?: string;
  onSort?: (sort: string | undefined) => void;
  selecting?: BulkSelection<Row>;
  details?: RowDetails<Row>;
  /** How many rows match the filters. */
  count?: number;
  /** What the list holds, in the plural and in lower case. */
  noun?: string;
  /** Whether its query asks for as many rows as viewers chose. */
  hasPageSize?: boolean;
};

/** Fewer columns than this are not worth a menu. */
const MIN_OPTIONAL_COLUMNS = 4;

/** One page of a list, with its toolbar and pager. */
export function List<Row extends object>(props: ListProps<Row>) {
  const {
    label,
    query,
    columns,
    rowKey,
    toolbar,
    empty,
    sort,
    onSort,
    selecting,
    details,
    count,
    noun = 'rows',
    hasPageSize = false,
  } = props;
  const [choice, setChoice] = useColumnChoice(label);
  const hasMenu = columns.filter(isOptional).length >= MIN_OPTIONAL_COLUMNS;
  // What is ticked while the rows of before are still shown would be selected among those to come.
  const selectingNow = selecting && query.isPlaceholderData ? { ...selecting, isSelectable: () => false } : selecting;
  const corner = (shown: ReadonlySet<string>) => (
    <ColumnMenu columns={columns} shown={shown} choice={choice} onChange={setChoice} />
  );
  return (
    // The mark is where the focus stays when the row it was in disappears.
    <div data-list>
      <Card>
        {toolbar && (
          <div className="flex flex-wrap items-end gap-2 border-b border-line px-4 py-3 md:px-5">{toolbar}</div>
        )}
        <QueryState query={query} lines={8}>
          {({ data, meta }) => (
            <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? 'opacity-60' : ''}>
              {data.length === 0 ? (
                empty
              ) : (
                <DataTable
                  {...{ label, columns, rowKey, sort, onSort, details }}
                  selecting={selectingNow}
                  rows={data}
                  {...(hasMenu && { choice, corner })}
                />
              )}
              <Pager
                nextCursor={meta.next_cursor}
                count={data.length === 0 ? undefined : count}
                noun={noun}
                shown={hasPageSize ? data.length : undefined}
                isLoading={query.isPlaceholderData}
              />
            </div>
          )}
        </QueryState>
        {selecting && (
          <SelectionBar
            noun={noun}
            selection={selecting.selection}
            matching={selecting.matching}
            isPageSelected={isPageSelected(query.data?.data ?? [], rowKey, selecting)}
            onChange={selecting.onChange}
            actions={selecting.actions}
          />
        )}
      </Card>
    </div>
  );
}

function isPageSelected<Row>(
  rows: Row[],
  rowKey: (row: Row) => string | number,
  { selection, isSelectable = () => true }: TableSelection<Row>,
): boolean {
  return rows.filter(isSelectable).every((row) => selection.keys.has(String(rowKey(row))));
}
