import { Link, useParams } from '@tanstack/react-router';
import { useRead } from '../../api/hooks.ts';
import { Badge, StateBadge } from '../../ui/feedback/badge.tsx';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { PageHead, TitledCard } from '../../ui/layout/card.tsx';
import { Details } from '../../ui/layout/details.tsx';
import { brandPath, useProgramId } from '../../ui/layout/urls.ts';
import { Time } from '../../ui/records/time.tsx';
import { type Journey, JourneySteps } from './journey-steps.tsx';

/** One customer from the first click to the last refund, with times and reasons. */
export function Page() {
  const programId = useProgramId();
  const { customerId = '' } = useParams({ strict: false }) as { customerId?: string };
  const customer = useRead(
    'manageCustomer',
    { params: { program_id: programId, customer_id: customerId } },
    { keep: false },
  );
  return (
    <Loaded read={customer} lines={10}>
      {({ data }) => (
        <>
          <PageHead title={data.customer_key ?? data.click_id ?? `Customer ${data.id}`}>
            {data.customer_key && (
              <Link
                to={brandPath(programId, 'explain')}
                search={{ by: 'customer_key', q: data.customer_key } as never}
                className={buttonClass()}
              >
                Explain every decision
              </Link>
            )}
          </PageHead>
          <div className="grid items-start gap-6 lg:grid-cols-[5fr_3fr]">
            <TitledCard
              title="Journey"
              words={data.journey_is_cut ? 'The last 200 steps; there were more before.' : undefined}
            >
              <JourneySteps steps={data.journey} />
            </TitledCard>
            <TitledCard title="Customer">
              <CustomerDetails customer={data} programId={programId} />
            </TitledCard>
          </div>
        </>
      )}
    </Loaded>
  );
}

function CustomerDetails({ customer, programId }: { customer: Journey; programId: number }) {
  const partner = customer.partner_id ? (
    <Link to={brandPath(programId, `partners/${customer.partner_id}`)} className="text-accent underline">
      {customer.partner_name}
    </Link>
  ) : (
    'nobody: no click is known'
  );
  return (
    <Details
      rows={[
        ['State', <StateBadge key="state" state={customer.status} />],
        ['Partner', partner],
        ['Customer key', customer.customer_key ?? 'not known yet'],
        ['E-mail', customer.email_masked ?? 'not sent'],
        [
          'Click id',
          <code key="id" className="font-mono text-[0.8125rem] break-all">
            {customer.click_id ?? 'none'}
          </code>,
        ],
        ['First seen', <Time key="at" at={customer.created_at} />],
        ...(customer.lead_state === 'provisional'
          ? [
              [
                'Signup',
                <Badge key="lead" tone="warn">
                  waits for your server
                </Badge>,
              ] as [string, React.ReactNode],
            ]
          : []),
        ...(customer.is_test
          ? [['Kind', <Badge key="kind">test, counts nowhere</Badge>] as [string, React.ReactNode]]
          : []),
      ]}
    />
  );
}
