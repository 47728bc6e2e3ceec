import { lazy, Suspense } from 'react';
import { INTERVALS, type Interval } from '../../rules/report.ts';
import { TitledCard } from '../layout/card.tsx';
import { useSearchParams } from '../layout/search-params.ts';
import { usePeriod } from '../lists/period-picker.tsx';
import { metricViews, type Performance, useMetric } from './metrics.tsx';

const HEIGHT = 256;
const TrendChart = lazy(() => import('./trend-chart.tsx'));

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
