import { Link, useParams } from '@tanstack/react-router';
import { useApiQuery } from '../../api/hooks.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { BackLink } from '../../ui/layout/back-link.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { type DetailRow, Details } from '../../ui/layout/details.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { RecordNotFound } from '../../ui/records/record-not-found.tsx';
import { Time } from '../../ui/records/time.tsx';
import { AssignCustomer } from './assign-customer.tsx';
import { CustomerPrivacy } from './customer-privacy.tsx';
import { type Journey, JourneySteps } from './journey-steps.tsx';

/** One customer from the first click to the last refund. */
export function Page() {
  const { programId, customerId } = useParams({ from: '/app/programs/$programId/customers/$customerId' });
  const customer = useApiQuery(
    'manageCustomer',
    { params: { program_id: programId, customer_id: customerId } },
    { keepPrevious: false },
  );
  return (
    <QueryState
      query={customer}
      lines={10}
      notFound={<RecordNotFound noun="customer" id={customerId} list="/app/programs/$programId/customers" />}
    >
      {({ data }) => (
        <>
          <BackLink>
            <Link to="/app/programs/$programId/customers" params={{ programId }}>
              Customers
            </Link>
          </BackLink>
          <PageHeader title={titleOf(data)}>
            {data.customer_key && (
              <Link
                to="/app/programs/$programId/sales"
                params={{ programId }}
                search={{ q: data.customer_key }}
                className={buttonClass()}
              >
                Sales
              </Link>
            )}
            {data.customer_key && (
              <Link
                to="/app/programs/$programId/explain"
                params={{ programId }}
                search={{ by: 'customer_key', q: data.customer_key }}
                className={buttonClass()}
              >
                Explain
              </Link>
            )}
            {!data.erased_at && (
              <AssignCustomer programId={programId} customerId={data.id} partnerId={data.partner_id} />
            )}
            {!data.erased_at && <CustomerPrivacy programId={programId} customerId={data.id} />}
          </PageHeader>
          <div className="grid items-start gap-6 lg:grid-cols-[5fr_3fr]">
            <TitledCard
              title="Journey"
              description={data.journey_is_cut ? 'Showing only the last 200 events.' : undefined}
            >
              <JourneySteps steps={data.journey} />
            </TitledCard>
            <TitledCard title="Customer">
              <CustomerDetails customer={data} programId={programId} />
            </TitledCard>
          </div>
        </>
      )}
    </QueryState>
  );
}

function titleOf({ customer_key: key, erased_at: erasedAt, id }: Journey): string {
  if (erasedAt) return `Erased customer ${id}`;
  return key ?? `Visitor ${id}`;
}

function CustomerDetails({ customer, programId }: { customer: Journey; programId: number }) {
  const partner = customer.partner_id ? (
    <Link
      to="/app/programs/$programId/partners/$partnerId"
      params={{ programId, partnerId: String(customer.partner_id) }}
      className="text-accent underline"
    >
      {customer.partner_name}
    </Link>
  ) : (
    'Unattributed, no click recorded'
  );
  const rows: DetailRow[] = [
    ['Status', <StatusBadge key="status" status={customer.status} />],
    ['Partner', partner],
    ...(customer.erased_at ? [] : identityRows(customer)),
    ['First seen', <Time key="created" at={customer.created_at} />],
    ...(customer.erased_at ? erasedRows(customer.erased_at) : []),
  ];
  if (customer.lead_state === 'provisional') {
    rows.push([
      'Signup',
      <Badge key="signup" tone="warn">
        Awaiting confirmation
      </Badge>,
    ]);
  }
  if (customer.is_test) rows.push(['Type', <Badge key="type">Test, not counted</Badge>]);
  return <Details rows={rows} />;
}

function identityRows(customer: Journey): DetailRow[] {
  return [
    ['Customer key', customer.customer_key ?? 'Not set yet'],
    ['Email', customer.email_masked ?? 'Not provided'],
    ['Click ID', customer.click_id ? <Identifier key="click">{customer.click_id}</Identifier> : 'None'],
  ];
}

function erasedRows(erasedAt: string): DetailRow[] {
  return [['Erased', <Time key="erased" at={erasedAt} />]];
}
