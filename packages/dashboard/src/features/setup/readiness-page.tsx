import { Link } from '@tanstack/react-router';
import { POLL_MS, useApiQuery } from '../../api/hooks.ts';
import { formatCount } from '../../rules/money.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { Details } from '../../ui/layout/details.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { Time } from '../../ui/records/time.tsx';
import { useSetup } from './arrivals.tsx';
import { type Readiness, ReadinessBadge, ReadinessGates } from './readiness-gates.tsx';
import { RefusedEvents } from './refused-events.tsx';
import { TestRun } from './test-run.tsx';

export function Page() {
  const programId = useProgramId();
  const params = { program_id: programId };
  const readiness = useApiQuery('manageReadiness', { params }, { refetchMs: POLL_MS });
  const program = useApiQuery('manageProgram', { params });
  const setup = useSetup(programId);
  return (
    <>
      <PageHeader
        title="Readiness"
        description="The state of your integration and what to do next. Updates automatically."
      >
        <Link to="/app/programs/$programId/start" params={{ programId }} className={buttonClass()}>
          Open setup guide
        </Link>
      </PageHeader>
      <QueryState query={readiness}>
        {({ data }) => (
          <div className="grid items-start gap-x-6 lg:grid-cols-[3fr_2fr] lg:grid-rows-[auto_1fr]">
            <TitledCard title="Checks" action={<ReadinessBadge readiness={data} />}>
              <ReadinessGates readiness={data} />
            </TitledCard>
            <div className="mt-6 space-y-6 lg:row-span-2 lg:mt-0">
              <TitledCard title="Real events">
                <RealEvents readiness={data} />
              </TitledCard>
              <TitledCard title="Test of the service">
                <TestRun programId={programId} />
              </TitledCard>
            </div>
            {/* Nothing is below it, on a phone either: what is refused while a person reads must not push anything away. */}
            {program.data && setup.data && (
              <div className="has-[section]:mt-6">
                <RefusedEvents program={program.data.data} events={setup.data.data.refused} />
              </div>
            )}
          </div>
        )}
      </QueryState>
    </>
  );
}

function RealEvents({ readiness: { last_event_at: last, counts_24h: counts } }: { readiness: Readiness }) {
  const summary = (at: string | null, count: number) =>
    at ? (
      <>
        <Time at={at} isRelative />, {formatCount(count)} in the last 24 hours
      </>
    ) : (
      'None yet'
    );
  return (
    <Details
      rows={[
        ['Last click', summary(last.click, counts.clicks)],
        ['Last signup', summary(last.lead, counts.leads)],
        ['Last sale', summary(last.sale, counts.sales)],
      ]}
    />
  );
}
