import { Link } from '@tanstack/react-router';
import { Download, Users } from 'lucide-react';
import { type Call, hrefOf } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { usePartnerChoices } from '../../api/program.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { PageHead } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FilterDates, FilterSelect, FilterText } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { brandPath, useFilters, useProgramId } from '../../ui/place.ts';
import { Time } from '../../ui/time.tsx';

type Filters = NonNullable<Call<'manageExportCustomers'>['query']>;

const STATUSES = [
  ['click', 'Clicked'],
  ['lead', 'Signed up'],
  ['conversion', 'Customer'],
] as const;

export function Page() {
  const programId = useProgramId();
  const [{ status, partner_id, q, from, to, cursor }] = useFilters();
  const params = { program_id: programId };
  const filters: Filters = {
    status: status as Filters['status'],
    partner_id,
    q,
    from: from || undefined,
    to: to || undefined,
  };
  const customers = useRead('manageCustomers', { params, query: { ...filters, cursor } });
  const isFiltered = Boolean(status || partner_id || q || from || to);
  return (
    <>
      <PageHead
        title="Customers"
        words="Everybody who came through a link or signed up, and the partner they stay with."
      >
        <a href={hrefOf('manageExportCustomers', { params, query: filters })} download className={buttonClass()}>
          <Download size={16} aria-hidden /> CSV
        </a>
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
          <Empty icon={Users} title={isFiltered ? 'No customer fits' : 'No customers yet'}>
            {isFiltered
              ? 'Try another search, or leave the filters out.'
              : 'The first visitor who follows a partner’s link appears here.'}
          </Empty>
        }
      />
    </>
  );
}
