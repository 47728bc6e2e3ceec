import { Link, useParams } from '@tanstack/react-router';
import { useApiQuery } from '../../api/hooks.ts';
import { Funnel } from '../../ui/charts/funnel.tsx';
import { currencyOf, MetricRow } from '../../ui/charts/metrics.tsx';
import { Trend, useReportQuery } from '../../ui/charts/trend.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { PeriodPicker } from '../../ui/lists/period-picker.tsx';
import { Avatar } from '../../ui/records/avatar.tsx';
import { PartnerStatus } from '../../ui/records/partner-status.tsx';
import { RecordNotFound } from '../../ui/records/record-not-found.tsx';
import { Application } from './details/application.tsx';
import { Balance } from './details/balance.tsx';
import { PartnerGroup } from './details/group.tsx';
import { PartnerHistory } from './details/history.tsx';
import { PartnerLinks } from './details/links.tsx';
import { Notes } from './details/notes.tsx';
import { PartnerOpeningBalances, useOpeningBalances } from './details/opening-balances.tsx';
import { Profile } from './details/profile.tsx';
import { PartnerActions } from './partner-actions.tsx';

/** As high as the metrics, the chart and the funnel, so that the links below do not move when they are there. */
const REPORT_LINES = 24;
const LISTS = [
  ['/app/programs/$programId/links', 'Links'],
  ['/app/programs/$programId/customers', 'Customers'],
  ['/app/programs/$programId/sales', 'Sales'],
  ['/app/programs/$programId/commissions', 'Commissions'],
] as const;

/** Who a partner is, what they brought in, what is due to them, and what the brand knows and decided about them. */
export function Page() {
  const { programId, partnerId } = useParams({ from: '/app/programs/$programId/partners/$partnerId' });
  const params = { program_id: programId, partner_id: partnerId };
  const partner = useApiQuery('managePartner', { params }, { keepPrevious: false });
  const hasBalances = !useOpeningBalances(programId, partnerId).isPending;
  return (
    <QueryState
      query={partner}
      lines={10}
      notFound={<RecordNotFound noun="partner" id={partnerId} list="/app/programs/$programId/partners" />}
    >
      {({ data }) => (
        <>
          <PageHeader
            title={data.name}
            description={
              <span className="flex flex-wrap items-center gap-2">
                <Avatar name={data.name} />
                {data.email} <PartnerStatus status={data.status} hasAccount={data.has_account} />
              </span>
            }
          >
            <PeriodPicker />
            <Allowed route="manageUpdatePartner">
              <PartnerActions programId={programId} partner={data} />
            </Allowed>
          </PageHeader>
          {/* The key keeps what belongs to another partner from being shown while this one loads. */}
          <div key={data.id} className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
            <div className="min-w-0 space-y-6">
              <PartnerReport programId={programId} partnerId={data.id} />
              <PartnerLinks programId={programId} partnerId={data.id} />
            </div>
            <div className="min-w-0 space-y-6">
              <Profile partner={data} />
              <PartnerGroup programId={programId} partner={data} />
              <Application partner={data} />
              <Balance programId={programId} partner={data} />
              {/* Most partners have none, so it has no place of its own that what is below could keep. */}
              {hasBalances && (
                <>
                  <PartnerOpeningBalances programId={programId} partnerId={data.id} />
                  <Notes programId={programId} partnerId={data.id} />
                  <PartnerHistory programId={programId} partnerId={data.id} />
                </>
              )}
            </div>
          </div>
        </>
      )}
    </QueryState>
  );
}

function PartnerReport({ programId, partnerId }: { programId: number; partnerId: number }) {
  const program = useApiQuery('manageProgram', { params: { program_id: programId } });
  const report = useApiQuery('managePerformance', {
    params: { program_id: programId },
    query: { ...useReportQuery(), partner_id: partnerId, group_by: 'partner', limit: 1 },
  });
  return (
    <>
      <nav aria-label="Partner" className="flex flex-wrap gap-2">
        {LISTS.map(([list, title]) => (
          <Link
            key={list}
            to={list}
            params={{ programId }}
            search={{ partner_id: String(partnerId) }}
            className={buttonClass({ size: 'small' })}
          >
            {title}
          </Link>
        ))}
      </nav>
      <QueryState query={report} lines={REPORT_LINES}>
        {({ data }) => {
          const currency = currencyOf(data, program.data?.data.currency);
          return (
            <>
              <MetricRow report={data} currency={currency} commissionTitle="Commissions" />
              <Trend report={data} currency={currency} commissionTitle="Commissions" />
              <Funnel funnel={data.funnel} />
            </>
          );
        }}
      </QueryState>
    </>
  );
}
