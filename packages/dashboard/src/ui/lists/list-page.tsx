import type { ReactNode } from 'react';
import { Skeleton } from '../feedback/query-state.tsx';
import { PageHeader } from '../layout/page-header.tsx';
import { ListExport } from './csv-link.tsx';
import { List, type ListProps } from './list.tsx';

type ListPageProps<Row> = Omit<ListProps<Row>, 'label'> & {
  title: string;
  description: string;
  /** Where the list can be downloaded. */
  exportUrl?: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Content between the header and the list. */
  children?: ReactNode;
  /** Whether that content is not known yet. The list waits for it, so that nothing moves. */
  isPending?: boolean;
};

/** A page that consists of one list. */
export function ListPage<Row extends object>({
  title,
  description,
  exportUrl,
  actions,
  children,
  isPending = false,
  ...list
}: ListPageProps<Row>) {
  return (
    <>
      <PageHeader title={title} description={description}>
        {exportUrl && <ListExport href={exportUrl} />}
        {actions}
      </PageHeader>
      {isPending ? (
        <Skeleton lines={11} />
      ) : (
        <>
          {children}
          <List label={title} {...list} />
        </>
      )}
    </>
  );
}
