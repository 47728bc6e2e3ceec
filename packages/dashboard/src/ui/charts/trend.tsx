import { lazy, Suspense } from 'react';
import { formatCount, formatMoney, formatMoneyShort } from '../../rules/money.ts';
import { TitledCard } from '../layout/card.tsx';
import { useFilters } from '../layout/urls.ts';
import { moneyIn, type Performance } from './numbers.tsx';

const TrendChart = lazy(() => import('./trend-chart.tsx'));

const METRICS = [
  ['clicks', 'Clicks'],
  ['leads', 'Signups'],
  ['sales', 'Sales'],
  ['revenue', 'Revenue'],
  ['commission', 'Commission'],
] as const;
type Metric = (typeof METRICS)[number][0];

/** One of the numbers day by day; the address holds which one. */
export function Trend({ report, currency }: { report: Performance; currency: string }) {
  const [search, change] = useFilters();
  const metric: Metric = METRICS.find(([name]) => name === search.metric)?.[0] ?? 'clicks';
  const isMoney = metric === 'revenue' || metric === 'commission';
  const points = report.series.map((day) => ({ date: day.date, value: numberOf(day, metric, currency) }));
  const [, title = ''] = METRICS.find(([name]) => name === metric) ?? [];
  const buttons = (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">What the chart shows</legend>
      {METRICS.map(([name, words]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === metric}
          onClick={() => change({ metric: name }, { replace: true })}
          className="rounded-md px-2.5 py-1 text-[0.8125rem] text-quiet hover:text-ink aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
  return (
    <TitledCard title={`${title} by day`} action={buttons}>
      <div className="h-64">
        <Suspense fallback={<div className="h-full motion-safe:animate-pulse rounded-lg bg-sunken" />}>
          <TrendChart
            title={title}
            points={points}
            format={(value) => (isMoney ? formatMoney(value, currency) : formatCount(value))}
            formatShort={(value) => (isMoney ? formatMoneyShort(value, currency) : formatCount(value))}
          />
        </Suspense>
      </div>
    </TitledCard>
  );
}

function numberOf(day: Performance['series'][number], metric: Metric, currency: string): number {
  if (metric === 'revenue') return moneyIn(day, currency).revenue_cents;
  if (metric === 'commission') return moneyIn(day, currency).commission_cents;
  return day[metric];
}
