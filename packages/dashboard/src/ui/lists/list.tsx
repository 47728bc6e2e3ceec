import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../feedback/query-state.tsx';
import { Card } from '../layout/card.tsx';
import { Pager } from './pager.tsx';
import { type Column, Table } from './table.tsx';

type Page<Row> = { data: Row[]; meta: { next_cursor: string | null } };

type ListProps<Row> = {
  label: string;
  read: UseQueryResult<Page<Row>, Error>;
  columns: Column<Row>[];
  keyOf: (row: Row) => string | number;
  /** Filters and searches above the rows. */
  tools?: ReactNode;
  /** What stands there when there are no rows. */
  empty: ReactNode;
};

/** A page of rows with its tools and the way to the next page. */
export function List<Row>({ label, read, columns, keyOf, tools, empty }: ListProps<Row>) {
  return (
    <Card>
      {tools && <div className="flex flex-wrap items-end gap-3 border-b border-line px-5 py-3.5">{tools}</div>}
      <Loaded read={read} lines={8}>
        {({ data, meta }) => (
          <>
            {data.length === 0 ? empty : <Table {...{ label, columns, rows: data, keyOf }} />}
            <Pager nextCursor={meta.next_cursor} />
          </>
        )}
      </Loaded>
    </Card>
  );
}
