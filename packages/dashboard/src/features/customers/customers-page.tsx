import { Link } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { type Call, hrefOf } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { usePartnerChoices } from '../../api/program.ts';
import { StateBadge } from '../../ui/feedback/badge.tsx';
import { PageHead } from '../../ui/layout/card.tsx';
import { brandPath, useListFilters, useProgramId } from '../../ui/layout/urls.ts';
import { CsvLink } from '../../ui/lists/csv-link.tsx';
import { EmptyList } from '../../ui/lists/empty.tsx';
import { FilterDates, FilterSelect, FilterText } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { Time } from '../../ui/records/time.tsx';

type Filters = NonNullable<Call<'manageExportCustomers'>['query']>;

const STATUSES = [
  ['click', 'Clicked'],
  ['lead', 'Signed up'],
  ['conversion', 'Customer'],
] as const;

export function Page() {
  const programId = useProgramId();
  const { filters: asked, cursor, isFiltered } = useListFilters('status', 'partner_id', 'q', 'from', 'to');
  const params = { program_id: programId };
  const filters = asked as Filters;
  const customers = useRead('manageCustomers', { params, query: { ...filters, cursor } });
  return (
    <>
      <PageHead
        title="Customers"
        words="Everybody who came through a link or signed up, and the partner they stay with."
      >
        <CsvLink href={hrefOf('manageExportCustomers', { params, query: filters })} />
      </PageHead>
      <List
        label="Customers"
        read={customers}
        keyOf={({ id }) => id}
        tools={
          <>
            <FilterText name="q" label="Search customers" placeholder="Customer key, click id or e-mail" />
            <FilterSelect name="status" label="All states" choices={STATUSES} />
            <FilterSelect name="partner_id" label="All partners" choices={usePartnerChoices(programId)} />
            <FilterDates />
          </>
        }
        columns={[
          {
            title: 'Customer',
            show: ({ id, customer_key: key, click_id: clickId, email_masked: email }) => (
              <>
                <Link to={brandPath(programId, `customers/${id}`)} className="font-medium hover:underline">
                  {key ?? clickId ?? `Customer ${id}`}
                </Link>
                {email && <div className="text-[0.8125rem] text-quiet">{email}</div>}
              </>
            ),
          },
          { title: 'State', show: ({ status: state }) => <StateBadge state={state} /> },
          { title: 'Partner', show: ({ partner_name: name }) => name ?? <span className="text-quiet">nobody</span> },
          { title: 'First seen', isExtra: true, show: ({ created_at: at }) => <Time at={at} /> },
        ]}
        empty={
          <EmptyList icon={Users} what={['customer', 'customers']} isFiltered={isFiltered}>
            The first visitor who follows a partner’s link appears here.
          </EmptyList>
        }
      />
    </>
  );
}
