import { Users } from 'lucide-react';
import type { Call } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { StateBadge } from '../../ui/feedback/badge.tsx';
import { PageHead } from '../../ui/layout/card.tsx';
import { useFilters, useProgramId } from '../../ui/layout/urls.ts';
import { Empty } from '../../ui/lists/empty.tsx';
import { FilterSelect } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { Time } from '../../ui/records/time.tsx';

type Status = NonNullable<Call<'manageCustomers'>['query']>['status'];

const STATUSES = [
  ['click', 'Clicked'],
  ['lead', 'Signed up'],
  ['conversion', 'Customer'],
] as const;

/** People that a partner sent. */
export function Page() {
  const programId = useProgramId();
  const [{ status, cursor }] = useFilters();
  const customers = useRead('manageCustomers', {
    params: { program_id: programId },
    query: { status: (status || undefined) as Status, cursor },
  });
  return (
    <>
      <PageHead
        title="Customers"
        words="People who came through your links. They stay yours, whoever’s link they follow later."
      />
      <List
        label="Customers"
        read={customers}
        keyOf={({ id }) => id}
        tools={<FilterSelect name="status" label="All states" choices={STATUSES} />}
        columns={[
          {
            title: 'Customer',
            show: ({ id, customer_key: key, email_masked: email }) => (
              <span className="font-medium">{email ?? key ?? `Visitor ${id}`}</span>
            ),
          },
          { title: 'State', show: ({ status: state }) => <StateBadge state={state} /> },
          { title: 'First seen', isNumber: true, show: ({ created_at: at }) => <Time at={at} /> },
        ]}
        empty={
          <Empty icon={Users} title={status ? 'Nobody fits' : 'Nobody yet'}>
            {status ? 'Choose another state.' : 'The first person who follows one of your links appears here.'}
          </Empty>
        }
      />
    </>
  );
}
