import { Link } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import { useRead } from '../../api/hooks.ts';
import { Funnel } from '../../ui/charts/funnel.tsx';
import { currencyOf, NumberRow, OtherCurrencies, type Performance } from '../../ui/charts/numbers.tsx';
import { Trend } from '../../ui/charts/trend.tsx';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { Card, PageHead } from '../../ui/layout/card.tsx';
import { brandPath, useProgramId } from '../../ui/layout/urls.ts';
import { Empty } from '../../ui/lists/empty.tsx';
import { PeriodPicker, usePeriod } from '../../ui/lists/period-picker.tsx';
import { TopList } from '../../ui/lists/top-list.tsx';
import { OpenApplications } from '../../ui/records/open-applications.tsx';

const TOP = 5;

export function Page() {
  const programId = useProgramId();
  const { from, to } = usePeriod();
  const params = { program_id: programId };
  const program = useRead('manageProgram', { params });
  const byPartner = useRead('managePerformance', { params, query: { from, to, group_by: 'partner', limit: TOP } });
  const byLink = useRead('managePerformance', { params, query: { from, to, group_by: 'link', limit: TOP } });
  return (
    <>
      <PageHead title="Overview">
        <PeriodPicker />
      </PageHead>
      <Loaded read={byPartner} lines={10}>
        {({ data }) => (
          <Report
            programId={programId}
            report={data}
            links={byLink.data?.data.groups ?? []}
            preferredCurrency={program.data?.data.currency}
          />
        )}
      </Loaded>
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
  const isQuiet = [report.totals, report.previous].every(({ clicks, leads, sales }) => clicks + leads + sales === 0);
  return (
    <div className="space-y-6">
      <OpenApplications programId={programId} />
      {isQuiet && <NothingYet programId={programId} />}
      <div>
        <NumberRow report={report} currency={currency} commissionTitle="Commission" />
        <OtherCurrencies report={report} currency={currency} />
      </div>
      <Trend report={report} currency={currency} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <TopList
          title="Top partners"
          what="Partner"
          groups={report.groups}
          currency={currency}
          nameOf={({ id, name }) => (
            <Link to={brandPath(programId, `partners/${id}`)} className="font-medium hover:underline">
              {name}
            </Link>
          )}
        />
        <TopList
          title="Top links"
          what="Link"
          groups={links}
          currency={currency}
          nameOf={({ name }) => <span className="font-mono text-[0.8125rem]">{name}</span>}
        />
      </div>
      <Funnel funnel={report.funnel} />
    </div>
  );
}

function NothingYet({ programId }: { programId: number }) {
  return (
    <Card>
      <Empty
        icon={Rocket}
        title="No clicks yet"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Link to={brandPath(programId, 'start')} className={buttonClass({ look: 'primary' })}>
              Open the set-up guide
            </Link>
            <Link to={brandPath(programId, 'partners')} className={buttonClass()}>
              Invite a partner
            </Link>
          </div>
        }
      >
        Put the tracker on your site and invite a partner. What their links bring shows up here within seconds.
      </Empty>
    </Card>
  );
}
