import { ChartNoAxesCombined } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { INTERVALS, type Interval, type Metric } from '../../rules/report.ts';
import { TitledCard } from '../layout/card.tsx';
import { useSearchParams } from '../layout/search-params.ts';
import { EmptyState } from '../lists/empty-state.tsx';
import { usePeriod } from '../lists/period-picker.tsx';
import { metricViews, type Performance, useMetric } from './metrics.tsx';

const HEIGHT = 256;
const TrendChart = lazy(() => import('./trend-chart.tsx'));

/** What the chart of a metric waits for. */
const NOTHING_YET: Record<Metric, string> = {
  clicks: 'Visits through partner links are counted here, from the first one on.',
  leads: 'Signups of visitors who came through partner links are counted here.',
  sales: 'Payments of referred customers are counted here.',
  revenue: 'What referred customers pay is added up here.',
  commission: 'What partners earn from sales is added up here.',
  per_click: 'Commissions divided by clicks are shown here, once there are both.',
};

const INTERVAL_TITLES: Record<Interval, string> = { day: 'Day', week: 'Week', month: 'Month' };

/** The period of a report and what its points stand for, as the API takes them: by length, unless the URL names it. */
export function useReportQuery() {
  const [{ interval }] = useSearchParams();
  return { ...usePeriod(), interval: interval ?? ('auto' as const) };
}

type TrendProps = { report: Performance; currency: string; commissionTitle: string };

/** The selected metric over time, with the previous period behind it. */
export function Trend({ report, currency, commissionTitle }: TrendProps) {
  const [metric] = useMetric();
  const { title, read, format, formatShort } = metricViews(commissionTitle)[metric];
  const { interval } = report;
  // A line of zeros would say nothing.
  const hasPrevious = report.previous_series.some((entry) => read(entry, currency) !== 0);
  const points = report.series.map((entry, index) => {
    const before = hasPrevious ? report.previous_series[index] : undefined;
    return {
      date: entry.date,
      lastDate: entry.last_date,
      isFinished: entry.is_finished,
      value: read(entry, currency),
      previous: before && { date: before.date, lastDate: before.last_date, value: read(before, currency) },
    };
  });
  if (!hasPrevious && points.every(({ value }) => value === 0)) {
    return (
      <TitledCard title={`${title} by ${interval}`} action={<IntervalButtons selected={interval} />}>
        <div style={{ minHeight: HEIGHT }} className="grid place-items-center">
          <EmptyState icon={ChartNoAxesCombined} title={`No ${title.toLowerCase()} in this period`}>
            {NOTHING_YET[metric]}
          </EmptyState>
        </div>
      </TitledCard>
    );
  }
  return (
    <TitledCard title={`${title} by ${interval}`} action={<IntervalButtons selected={interval} />}>
      <div style={{ height: HEIGHT }}>
        <Suspense fallback={<div className="h-full motion-safe:animate-pulse rounded-lg bg-sunken" />}>
          <TrendChart
            title={`${title} by ${interval}`}
            interval={interval}
            points={points}
            height={HEIGHT}
            format={(value) => format(value, currency)}
            formatShort={(value) => formatShort(value, currency)}
          />
        </Suspense>
      </div>
      <Legend
        hasUnfinished={points.some(({ isFinished }) => !isFinished)}
        hasPrevious={hasPrevious}
        interval={interval}
      />
    </TitledCard>
  );
}

function IntervalButtons({ selected }: { selected: Interval }) {
  const [, setSearch] = useSearchParams();
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Interval</legend>
      {INTERVALS.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === selected}
          onClick={() => setSearch({ interval: name }, { replace: true })}
          className="rounded-md px-2.5 py-1 text-caption text-quiet hover:text-ink aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
        >
          {INTERVAL_TITLES[name]}
        </button>
      ))}
    </fieldset>
  );
}

const UNFINISHED: Record<Interval, string> = {
  day: 'Today so far',
  week: 'This week so far',
  month: 'This month so far',
};

type LegendProps = { hasUnfinished: boolean; hasPrevious: boolean; interval: Interval };

function Legend({ hasUnfinished, hasPrevious, interval }: LegendProps) {
  const entries = [
    ['This period', 'border-accent'],
    ...(hasUnfinished ? [[UNFINISHED[interval], 'border-accent border-dashed']] : []),
    ...(hasPrevious ? [['Prior period', 'border-quiet border-dotted']] : []),
  ];
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-quiet">
      {entries.map(([text, line]) => (
        <li key={text} className="flex items-center gap-1.5">
          <span aria-hidden className={`w-4 border-t-2 ${line}`} />
          {text}
        </li>
      ))}
    </ul>
  );
}
