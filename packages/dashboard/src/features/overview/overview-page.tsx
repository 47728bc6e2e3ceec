import { Link } from '@tanstack/react-router';
import { ChartNoAxesCombined } from 'lucide-react';
import type { Data } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { type SetupProgress, useSetupProgress } from '../../api/setup-progress.ts';
import { Funnel } from '../../ui/charts/funnel.tsx';
import { currencyOf, MetricRow, type Performance } from '../../ui/charts/metrics.tsx';
import { Trend, useReportQuery } from '../../ui/charts/trend.tsx';
import { QueryState, Skeleton } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { Card, TitledCard } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { useSearchParams } from '../../ui/layout/search-params.ts';
import { EmptyState } from '../../ui/lists/empty-state.tsx';
import { PeriodPicker } from '../../ui/lists/period-picker.tsx';
import { TopList, type TopRow } from '../../ui/lists/top-list.tsx';
import { NameWithAvatar } from '../../ui/records/avatar.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { earningsOf } from '../../ui/records/offer-rows.ts';
import { PendingApplications, useApplications } from '../../ui/records/pending-applications.tsx';
import { HeldCommissions, useHeldCommissions } from './held-commissions.tsx';
import { OpenAlerts, useAlerts } from './open-alerts.tsx';
import { SetupChecklist } from './setup-checklist.tsx';

const TOP = 5;

export function Page() {
  const programId = useProgramId();
  const { interval, ...period } = useReportQuery();
  const params = { program_id: programId };
  const program = useApiQuery('manageProgram', { params });
  const report = useApiQuery('managePerformance', { params, query: { ...period, interval, limit: 1 } });
  const partners = useApiQuery('manageBreakdown', { params, query: { ...period, by: 'partner', limit: TOP } });
  const links = useApiQuery('manageBreakdown', { params, query: { ...period, by: 'link', limit: TOP } });
  const { progress } = useSetupProgress(programId);
  return (
    <>
      <PageHeader title="Overview">
        <PeriodPicker />
      </PageHeader>
      <QueryState query={report} lines={10}>
        {({ data }) => (
          <Report
            programId={programId}
            progress={progress}
            report={data}
            partners={valuesOf(partners.data?.data)}
            links={valuesOf(links.data?.data)}
            program={program.data?.data}
          />
        )}
      </QueryState>
    </>
  );
}

type ReportProps = {
  programId: number;
  progress: SetupProgress | undefined;
  report: Performance;
  partners: TopRow[];
  links: TopRow[];
  program: Data<'manageProgram'> | undefined;
};

function valuesOf(breakdown: Data<'manageBreakdown'> | undefined): TopRow[] {
  return breakdown?.rows.filter(({ kind }) => kind === 'value') ?? [];
}

function Report({ programId, progress, report, partners, links, program }: ReportProps) {
  const currency = currencyOf(report, program?.currency);
  const notices = [useAlerts(programId), useApplications(programId), useHeldCommissions(programId)];
  const isEmpty = [report.totals, report.previous].every(({ clicks, leads, sales }) => clicks + leads + sales === 0);
  // All parts appear together: the checklist and notices would move what is below them.
  if (!progress || notices.some(({ isPending }) => isPending)) return <Skeleton lines={10} />;
  const isSetUp = Object.values(progress).every(Boolean);
  return (
    <div className="space-y-6">
      <OpenAlerts programId={programId} />
      <PendingApplications programId={programId} />
      <HeldCommissions programId={programId} />
      <SetupChecklist programId={programId} progress={progress} />
      <MetricRow report={report} currency={currency} commissionTitle="Commissions" />
      {isEmpty ? (
        <NoActivity programId={programId} isSetUp={isSetUp} />
      ) : (
        <>
          <Trend report={report} currency={currency} commissionTitle="Commissions" />
          <div className="grid items-start gap-6 *:min-w-0 lg:grid-cols-2">
            <TopList
              title="Top partners"
              nameTitle="Partner"
              groups={partners}
              seeAll={<SeeAll programId={programId} breakdown="partner" />}
              currency={currency}
              nameCell={({ id, name }) => (
                <Link
                  to="/app/programs/$programId/partners/$partnerId"
                  params={{ programId, partnerId: String(id) }}
                  className="font-medium hover:underline"
                >
                  <NameWithAvatar name={name} />
                </Link>
              )}
            />
            <TopList
              title="Top links"
              nameTitle="Link"
              groups={links}
              seeAll={<SeeAll programId={programId} breakdown="link" />}
              currency={currency}
              nameCell={({ name }) => <Identifier>{name}</Identifier>}
            />
          </div>
          <Funnel funnel={report.funnel} />
        </>
      )}
      {program && (
        <TitledCard
          // Drawn again where it follows something else: it would jump to its new place.
          key={isEmpty ? 'after nothing' : 'after lists'}
          title="What new partners earn"
          action={
            <Link to="/app/programs/$programId/terms" params={{ programId }} className={buttonClass({ size: 'small' })}>
              Commission rules
            </Link>
          }
        >
          <p>{earningsOf(program)}</p>
        </TitledCard>
      )}
    </div>
  );
}

/** Leads to the report that the list is the top of, over the same period. */
function SeeAll({ programId, breakdown }: { programId: number; breakdown: 'partner' | 'link' }) {
  const [{ period, from, to }] = useSearchParams();
  return (
    <Link
      to="/app/programs/$programId/reports"
      params={{ programId }}
      search={{ period, from, to, breakdown }}
      className={buttonClass({ size: 'small' })}
      aria-label={`See all ${breakdown}s`}
    >
      See all
    </Link>
  );
}

/** In place of a chart and lists that would all be empty. A new program has its checklist above, which says what to do. */
function NoActivity({ programId, isSetUp }: { programId: number; isSetUp: boolean }) {
  return (
    <Card>
      <EmptyState
        icon={ChartNoAxesCombined}
        title="No activity in this period"
        action={
          isSetUp && (
            <Link to="/app/programs/$programId/partners" params={{ programId }} className={buttonClass()}>
              Invite a partner
            </Link>
          )
        }
      >
        {isSetUp
          ? 'Choose a longer period to see earlier clicks, signups and sales.'
          : 'Charts of clicks, signups and sales appear here with the first click on a partner link.'}
      </EmptyState>
    </Card>
  );
}
