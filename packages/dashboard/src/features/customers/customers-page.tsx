import { useSearch } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { listQuery } from '../../rules/search.ts';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterDates, FilterText } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { ListViews } from '../../ui/lists/list-views.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { useSetSort } from '../../ui/lists/sorting.ts';
import {
  CustomerStatusFilter,
  customerDateColumn,
  customerStatusColumn,
  customerSubColumn,
} from '../../ui/records/customer-columns.tsx';
import { PartnerName } from '../../ui/records/partner-name.tsx';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { CustomerLink } from '../../ui/records/record-links.tsx';

export function Page() {
  const programId = useProgramId();
  const { filters, sort, cursor, isFiltered } = listQuery(useSearch({ from: '/app/programs/$programId/customers' }));
  const setSort = useSetSort();
  const [limit] = usePageSize();
  const params = { program_id: programId };
  const customers = useApiQuery('manageCustomers', { params, query: { ...filters, sort, cursor, limit } });
  const matching = useApiQuery('manageCustomers', { params, query: { ...filters, totals: 'true', limit: 1 } });
  return (
    <ListPage
      title="Customers"
      description="Everyone who clicked a partner link or signed up, and the partner they are attributed to."
      exportUrl={urlOf('manageExportCustomers', { params, query: filters })}
      query={customers}
      rowKey={({ id }) => id}
      toolbar={
        <>
          <FilterText label="Search customers" placeholder="Customer key, click ID or full email" />
          <CustomerStatusFilter />
          <PartnerFilter programId={programId} />
          <FilterDates />
          <ListViews programId={programId} list="customers" />
        </>
      }
      columns={[
        {
          title: 'Customer',
          cell: ({ id, customer_key: key, click_id: clickId, email_masked: email }) => (
            <>
              <CustomerLink
                programId={programId}
                customerId={id}
                label={key ?? `Visitor ${id}`}
                className="max-w-56 font-medium lg:max-w-80"
              />
              {(email || (!key && clickId)) && (
                <div className="truncate text-caption text-quiet">{email ?? clickId}</div>
              )}
            </>
          ),
        },
        customerStatusColumn,
        {
          title: 'Partner',
          sortBy: 'partner_name',
          showFrom: 'medium',
          isStacked: true,
          cell: ({ partner_name: name }) => <PartnerName name={name} />,
        },
        customerSubColumn,
        { ...customerDateColumn, showFrom: 'medium' },
      ]}
      sort={sort ?? '-created_at'}
      onSort={setSort}
      count={matching.data?.meta.count}
      noun="customers"
      hasPageSize
      empty={
        <EmptyList icon={Users} noun="customers" isFiltered={isFiltered}>
          People appear here when they click a partner’s link or sign up. Share a link to get started.
        </EmptyList>
      }
    />
  );
}
