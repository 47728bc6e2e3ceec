import type { Row } from '../../api/client.ts';
import { CUSTOMER_STATUSES } from '../../rules/statuses.ts';
import { StatusBadge, statusOptions } from '../feedback/status-badge.tsx';
import type { Column } from '../lists/column.ts';
import { FilterSelect } from '../lists/filters.tsx';
import { Time } from './time.tsx';

export type Customer = Row<'manageCustomers'>;

/** Columns that the brand and its partners both see. */
export const customerStatusColumn: Column<Customer> = {
  title: 'Status',
  cell: ({ status }) => <StatusBadge status={status} />,
};
export const customerSubColumn: Column<Customer> = { title: 'Sub-ID', showFrom: 'widest', cell: ({ sub }) => sub };
export const customerDateColumn: Column<Customer> = {
  title: 'First seen',
  sortBy: 'created_at',
  isSortedDownFirst: true,
  isRightAligned: true,
  showFrom: 'medium',
  isStacked: true,
  cell: ({ created_at: at }) => <Time at={at} />,
};

export function CustomerStatusFilter() {
  return <FilterSelect name="status" label="All statuses" options={statusOptions(CUSTOMER_STATUSES)} />;
}
