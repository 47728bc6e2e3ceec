import { lazy, Suspense } from 'react';
import { formatCount, formatMoney, formatMoneyShort } from '../../rules/money.ts';
import { METRICS, type Metric } from '../../rules/report.ts';
import { TitledCard } from '../layout/card.tsx';
import { useSearchParams } from '../layout/search-params.ts';
import { moneyIn, type Performance } from './metrics.tsx';

const TrendChart = lazy(() => import('./trend-chart.tsx'));

type TrendProps = { report: Performance; currency: string; commissionTitle: string };

/** One metric by day; which one is in the URL. */
export function Trend({ report, currency, commissionTitle }: TrendProps) {
  const [{ metric = 'clicks' }, setSearch] = useSearchParams();
  const labels: Record<Metric, string> = {
    clicks: 'Clicks',
    leads: 'Signups',
    sales: 'Sales',
    revenue: 'Revenue',
    commission: commissionTitle,
  };
  const isMoney = metric === 'revenue' || metric === 'commission';
  const points = report.series.map((day) => ({ date: day.date, value: metricValue(day, metric, currency) }));
  const buttons = (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Metric</legend>
      {METRICS.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === metric}
          onClick={() => setSearch({ metric: name }, { replace: true })}
          className="rounded-md px-2.5 py-1 text-caption text-quiet hover:text-ink aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
        >
          {labels[name]}
        </button>
      ))}
    </fieldset>
  );
  return (
    <TitledCard title={`${labels[metric]} by day`} action={buttons}>
      <div className="h-64">
        <Suspense fallback={<div className="h-full motion-safe:animate-pulse rounded-lg bg-sunken" />}>
          <TrendChart
            title={labels[metric]}
            points={points}
            format={(value) => (isMoney ? formatMoney(value, currency) : formatCount(value))}
            formatShort={(value) => (isMoney ? formatMoneyShort(value, currency) : formatCount(value))}
          />
        </Suspense>
      </div>
    </TitledCard>
  );
}

function metricValue(day: Performance['series'][number], metric: Metric, currency: string): number {
  if (metric === 'revenue') return moneyIn(day, currency).revenue_cents;
  if (metric === 'commission') return moneyIn(day, currency).commission_cents;
  return day[metric];
}
