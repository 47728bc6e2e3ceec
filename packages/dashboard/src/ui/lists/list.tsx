import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QueryState } from '../feedback/query-state.tsx';
import { Card } from '../layout/card.tsx';
import { Pager } from './pager.tsx';
import { type Column, Table } from './table.tsx';

type Page<Row> = { data: Row[]; meta: { next_cursor: string | null } };

export type ListProps<Row> = {
  label: string;
  query: UseQueryResult<Page<Row>, Error>;
  columns: Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** Filters and actions above the rows. */
  toolbar?: ReactNode;
  /** Shown instead of the table when there are no rows. */
  empty: ReactNode;
};

/** One page of a list, with its toolbar and pager. */
export function List<Row>({ label, query, columns, rowKey, toolbar, empty }: ListProps<Row>) {
  return (
    <Card>
      {toolbar && <div className="flex flex-wrap items-end gap-3 border-b border-line px-5 py-3.5">{toolbar}</div>}
      <QueryState query={query} lines={8}>
        {({ data, meta }) => (
          <>
            {data.length === 0 ? empty : <Table {...{ label, columns, rows: data, rowKey }} />}
            <Pager nextCursor={meta.next_cursor} />
          </>
        )}
      </QueryState>
    </Card>
  );
}
