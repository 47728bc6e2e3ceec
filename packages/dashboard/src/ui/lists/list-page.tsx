import type { ReactNode } from 'react';
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
};

/** A page that consists of one list. */
export function ListPage<Row extends object>({
  title,
  description,
  exportUrl,
  actions,
  children,
  ...list
}: ListPageProps<Row>) {
  return (
    <>
      <PageHeader title={title} description={description}>
        {exportUrl && <ListExport href={exportUrl} />}
        {actions}
      </PageHeader>
      {children}
      <List label={title} {...list} />
    </>
  );
}
