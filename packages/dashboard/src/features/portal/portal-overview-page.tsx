import { Link } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { useRead } from '../../api/hooks.ts';
import { Funnel } from '../../ui/charts/funnel.tsx';
import { currencyOf, NumberRow } from '../../ui/charts/numbers.tsx';
import { Trend } from '../../ui/charts/trend.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { Card, PageHead } from '../../ui/layout/card.tsx';
import { portalPath, useProgramId } from '../../ui/layout/urls.ts';
import { Empty } from '../../ui/lists/empty.tsx';
import { PeriodPicker, usePeriod } from '../../ui/lists/period-picker.tsx';
import { TopList } from '../../ui/lists/top-list.tsx';

/** A partner's own numbers. */
export function Page() {
  const programId = useProgramId();
  const { from, to } = usePeriod();
  const params = { program_id: programId };
  const report = useRead('managePerformance', { params, query: { from, to, group_by: 'link', limit: 5 } });
  const links = useRead('manageLinks', { params, query: { limit: 1 } });
  const place = useRead('manageMe').data?.data.partner_of.find(({ program_id: id }) => id === programId);
  const firstLink = links.data?.data[0];
  return (
    <>
      <PageHead
        title="Overview"
        words={
          place && `${place.name} pays you ${place.commission}. A click counts for ${place.cookie_window_days} days.`
        }
      >
        <PeriodPicker />
      </PageHead>
      {place && place.status !== 'active' && (
        <div className="mb-6">
          <Notice tone="warn">
            You are {place.status} in this program: your links do not work and nothing new is earned. What you earned
            stays yours.
          </Notice>
        </div>
      )}
      <div className="space-y-6">
        {links.data && !firstLink && (
          <Card>
            <Empty
              icon={Link2}
              title="Begin with a link of your own"
              action={
                <Link to={portalPath(programId, 'links')} className={buttonClass({ look: 'primary' })}>
                  Make a link
                </Link>
              }
            >
              Everybody who comes through it is counted for you.
            </Empty>
          </Card>
        )}
        {firstLink && <CodeBlock text={firstLink.url} label={`Copy ${firstLink.short_link}`} />}
        <Loaded read={report} lines={8}>
          {({ data }) => {
            const currency = currencyOf(data, place?.currency);
            return (
              <>
                <NumberRow report={data} currency={currency} commissionTitle="Earned" />
                <Trend report={data} currency={currency} />
                <div className="grid items-start gap-6 lg:grid-cols-2">
                  <TopList
                    title="Your best links"
                    what="Link"
                    groups={data.groups}
                    currency={currency}
                    nameOf={({ name }) => <span className="font-mono text-[0.8125rem]">{name}</span>}
                  />
                  <Funnel funnel={data.funnel} />
                </div>
              </>
            );
          }}
        </Loaded>
      </div>
    </>
  );
}
