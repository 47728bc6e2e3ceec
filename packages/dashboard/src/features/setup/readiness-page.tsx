import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/hooks.ts';
import { formatCount } from '../../rules/money.ts';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { PageHead, TitledCard } from '../../ui/layout/card.tsx';
import { Details } from '../../ui/layout/details.tsx';
import { brandPath, useProgramId } from '../../ui/layout/urls.ts';
import { Time } from '../../ui/records/time.tsx';
import { Gates, type Readiness, ReadinessBadge } from './gates.tsx';
import { TestChain } from './test-chain.tsx';

const POLL_MS = 5_000;

export function Page() {
  const programId = useProgramId();
  const readiness = useRead('manageReadiness', { params: { program_id: programId } }, { everyMs: POLL_MS });
  return (
    <>
      <PageHead
        title="Readiness"
        words="How far the integration has come, and what to do next. It looks again every few seconds."
      >
        <Link to={brandPath(programId, 'start')} className={buttonClass()}>
          Open the guide
        </Link>
      </PageHead>
      <Loaded read={readiness}>
        {({ data }) => (
          <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
            <TitledCard title="Gates" action={<ReadinessBadge state={data.state} />}>
              <Gates readiness={data} />
            </TitledCard>
            <div className="space-y-6">
              <TitledCard title="Verification chain">
                <TestChain programId={programId} />
              </TitledCard>
              <TitledCard title="Real events">
                <RealEvents readiness={data} />
              </TitledCard>
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

function RealEvents({ readiness: { last_event_at: last, counts_24h: counts } }: { readiness: Readiness }) {
  const row = (at: string | null, count: number) => (
    <>
      {at ? <Time at={at} isRelative /> : 'none yet'}, <span className="tabular-nums">{formatCount(count)}</span> in 24
      hours
    </>
  );
  return (
    <Details
      rows={[
        ['Last click', row(last.click, counts.clicks)],
        ['Last signup', row(last.lead, counts.leads)],
        ['Last sale', row(last.sale, counts.sales)],
      ]}
    />
  );
}
