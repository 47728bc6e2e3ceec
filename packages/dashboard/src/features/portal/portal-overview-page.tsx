import type { Data } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { Funnel } from '../../ui/charts/funnel.tsx';
import { currencyOf, MetricRow } from '../../ui/charts/metrics.tsx';
import { Trend, useReportQuery } from '../../ui/charts/trend.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryState, Skeleton } from '../../ui/feedback/query-state.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { PeriodPicker } from '../../ui/lists/period-picker.tsx';
import { TopList } from '../../ui/lists/top-list.tsx';
import { HandedOver } from '../../ui/records/handed-over.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { earningsOf } from '../../ui/records/offer-rows.ts';
import { Time } from '../../ui/records/time.tsx';
import { Contact } from './contact.tsx';
import { FirstSteps, useOwnTotals } from './first-steps.tsx';
import { NextPayout, useUpcoming } from './next-payout.tsx';
import { useOwnLinks, YourLink } from './your-link.tsx';

type Membership = Data<'manageMe'>['partner_of'][number];

const INACTIVE = {
  applied: 'Your application to this program is still pending.',
  blocked: 'You have been blocked from this program.',
  removed: 'You have been removed from this program.',
};

/** A partner’s own report. */
export function Page() {
  const programId = useProgramId();
  const params = { program_id: programId };
  const report = useApiQuery('managePerformance', {
    params,
    query: { ...useReportQuery(), group_by: 'link', limit: 5 },
  });
  const account = useApiQuery('manageMe');
  const me = account.data?.data;
  // All parts appear together: one after another, each would move those below it.
  const isLoading = [account, useOwnLinks(), useOwnTotals(), useUpcoming(), report].some(({ isPending }) => isPending);
  const membership = me?.partner_of.find(({ program_id: id }) => id === programId);
  return (
    <>
      <PageHeader title="Overview" description={membership && termsOf(membership)}>
        <PeriodPicker />
      </PageHeader>
      {isLoading && <Skeleton lines={12} />}
      <div className="space-y-6" hidden={isLoading}>
        {membership && membership.status !== 'active' && (
          <Notice tone="warn">
            {INACTIVE[membership.status]} Your links don’t work and you can’t earn new commissions. You keep what you
            have already earned.
          </Notice>
        )}
        {membership?.account_change_pending && (
          <Notice tone="warn">
            {membership.name} has invited another account to take over from you. You keep access until the invitation is
            accepted. Contact them if you did not expect this.
          </Notice>
        )}
        {membership?.account_changed_at && (
          <Notice tone="warn">
            Account changed on <Time at={membership.account_changed_at} />: this partner belonged to another account
            before. Links, sales and earnings from before then are here too.
          </Notice>
        )}
        <HandedOver rows={me?.handed_over ?? []} />
        {membership?.status === 'active' && <FirstSteps me={me} />}
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
          {/* Each has its own place, so that neither moves when the other appears. */}
          <div className="min-w-0">
            <YourLink membership={membership} />
          </div>
          <div className="min-w-0">
            <NextPayout membership={membership} />
          </div>
        </div>
        <Contact membership={membership} />
        <QueryState query={report} lines={8}>
          {({ data }) => {
            const currency = currencyOf(data, membership?.currency);
            const hasClicks = data.funnel.clicks + data.groups.length > 0;
            return (
              <>
                <MetricRow report={data} currency={currency} commissionTitle="Earned" />
                <Trend report={data} currency={currency} commissionTitle="Earned" />
                {hasClicks && (
                  <div className="grid items-start gap-6 lg:grid-cols-2">
                    <TopList
                      title="Top links"
                      nameTitle="Link"
                      groups={data.groups}
                      currency={currency}
                      nameCell={({ name }) => <Identifier>{name}</Identifier>}
                    />
                    <Funnel funnel={data.funnel} />
                  </div>
                )}
              </>
            );
          }}
        </QueryState>
      </div>
    </>
  );
}

function termsOf(membership: Membership): string {
  const { name, cookie_window_days: days } = membership;
  const window = `${days} ${days === 1 ? 'day' : 'days'}`;
  return `${name} pays you ${earningsOf(membership)} Clicks are remembered for ${window}.`;
}
