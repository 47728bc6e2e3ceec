import { useSearch } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useApiQuery } from '../../api/hooks.ts';
import { listQuery } from '../../rules/search.ts';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import {
  CustomerStatusFilter,
  customerDateColumn,
  customerStatusColumn,
  customerSubColumn,
} from '../../ui/records/customer-columns.tsx';

/** The people a partner referred. */
export function Page() {
  const programId = useProgramId();
  const { filters, cursor, isFiltered } = listQuery(useSearch({ from: '/app/portal/$programId/customers' }));
  const [limit] = usePageSize();
  const params = { program_id: programId };
  const customers = useApiQuery('manageCustomers', { params, query: { ...filters, cursor, limit } });
  const matching = useApiQuery('manageCustomers', { params, query: { ...filters, totals: 'true', limit: 1 } });
  return (
    <ListPage
      title="Customers"
      description="People who came through your links. They stay attributed to you, even if they click another partner’s link later."
      query={customers}
      rowKey={({ id }) => id}
      count={matching.data?.meta.count}
      noun="customers"
      hasPageSize
      toolbar={<CustomerStatusFilter />}
      columns={[
        {
          title: 'Customer',
          cell: ({ id, customer_key: key, email_masked: email }) => (
            <span className="font-medium">{email ?? key ?? `Visitor ${id}`}</span>
          ),
        },
        customerStatusColumn,
        customerSubColumn,
        customerDateColumn,
      ]}
      empty={
        <EmptyList icon={Users} noun="customers" isFiltered={isFiltered}>
          People appear here when they click one of your links. Share a link to get started.
        </EmptyList>
      }
    />
  );
}
