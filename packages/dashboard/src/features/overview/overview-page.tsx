import { Link } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import { useApiQuery } from '../../api/hooks.ts';
import { Funnel } from '../../ui/charts/funnel.tsx';
import { currencyOf, MetricRow, OtherCurrencies, type Performance } from '../../ui/charts/metrics.tsx';
import { Trend } from '../../ui/charts/trend.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyState } from '../../ui/lists/empty-state.tsx';
import { PeriodPicker, usePeriod } from '../../ui/lists/period-picker.tsx';
import { TopList } from '../../ui/lists/top-list.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { PendingApplications } from '../../ui/records/pending-applications.tsx';

const TOP = 5;

export function Page() {
  const programId = useProgramId();
  const { from, to } = usePeriod();
  const params = { program_id: programId };
  const program = useApiQuery('manageProgram', { params });
  const byPartner = useApiQuery('managePerformance', { params, query: { from, to, group_by: 'partner', limit: TOP } });
  const byLink = useApiQuery('managePerformance', { params, query: { from, to, group_by: 'link', limit: TOP } });
  return (
    <>
      <PageHeader title="Overview">
        <PeriodPicker />
      </PageHeader>
      <QueryState query={byPartner} lines={10}>
        {({ data }) => (
          <Report
            programId={programId}
            report={data}
            links={byLink.data?.data.groups ?? []}
            preferredCurrency={program.data?.data.currency}
          />
        )}
      </QueryState>
    </>
  );
}

type ReportProps = {
  programId: number;
  report: Performance;
  links: Performance['groups'];
  preferredCurrency: string | undefined;
};

function Report({ programId, report, links, preferredCurrency }: ReportProps) {
  const currency = currencyOf(report, preferredCurrency);
  const isEmpty = [report.totals, report.previous].every(({ clicks, leads, sales }) => clicks + leads + sales === 0);
  return (
    <div className="space-y-6">
      <PendingApplications programId={programId} />
      {isEmpty && <GetStarted programId={programId} />}
      <div>
        <MetricRow report={report} currency={currency} commissionTitle="Commissions" />
        <OtherCurrencies report={report} currency={currency} />
      </div>
      <Trend report={report} currency={currency} commissionTitle="Commissions" />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <TopList
          title="Top partners"
          nameTitle="Partner"
          groups={report.groups}
          currency={currency}
          nameCell={({ id, name }) => (
            <Link
              to="/app/programs/$programId/partners/$partnerId"
              params={{ programId, partnerId: String(id) }}
              className="font-medium hover:underline"
            >
              {name}
            </Link>
          )}
        />
        <TopList
          title="Top links"
          nameTitle="Link"
          groups={links}
          currency={currency}
          nameCell={({ name }) => <Identifier>{name}</Identifier>}
        />
      </div>
      <Funnel funnel={report.funnel} />
    </div>
  );
}

function GetStarted({ programId }: { programId: number }) {
  return (
    <Card>
      <EmptyState
        icon={Rocket}
        title="No activity in this period"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Link
              to="/app/programs/$programId/start"
              params={{ programId }}
              className={buttonClass({ variant: 'primary' })}
            >
              Open setup guide
            </Link>
            <Link to="/app/programs/$programId/partners" params={{ programId }} className={buttonClass()}>
              Invite a partner
            </Link>
          </div>
        }
      >
        Clicks, signups and sales from partner links appear here. Just getting started? Add the tracker to your site and
        invite a partner.
      </EmptyState>
    </Card>
  );
}
