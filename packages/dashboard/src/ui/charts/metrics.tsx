import type { Data } from '../../api/client.ts';
import { formatCount, formatMoney, formatMoneyShort, mainCurrency } from '../../rules/money.ts';
import { METRICS, type Metric } from '../../rules/report.ts';
import { useSearchParams } from '../layout/search-params.ts';
import { MetricButton } from './metric-card.tsx';

export type Performance = Data<'managePerformance'>;
type Totals = Performance['totals'];

const NO_MONEY = { revenue_cents: 0, refunded_cents: 0, commission_cents: 0 };

/** The amounts in one currency; zero when there are none. */
function moneyIn({ money }: Pick<Totals, 'money'>, currency: string) {
  return money.find((sum) => sum.currency === currency) ?? { currency, ...NO_MONEY };
}

/** The currency a report is shown in. */
export function currencyOf({ totals }: Performance, preferred?: string): string {
  return mainCurrency(totals.money, (sum) => sum.revenue_cents, preferred);
}

/** What a metric is called, how it is read from a report, and how it is written. */
type MetricView = {
  title: string;
  read: (numbers: Totals, currency: string) => number;
  format: (value: number, currency: string) => string;
  formatShort: (value: number, currency: string) => string;
  /** Whether there is a value. What was earned is no average without a click. */
  isKnown?: (numbers: Totals) => boolean;
};

const count = { format: (value: number) => formatCount(value), formatShort: (value: number) => formatCount(value) };
const amount = { format: formatMoney, formatShort: formatMoneyShort };

/** The metrics of a report. Commissions are called differently on the two sides. */
export function metricViews(commissionTitle: string): Record<Metric, MetricView> {
  return {
    clicks: { title: 'Clicks', read: ({ clicks }) => clicks, ...count },
    leads: { title: 'Signups', read: ({ leads }) => leads, ...count },
    sales: { title: 'Sales', read: ({ sales }) => sales, ...count },
    revenue: { title: 'Revenue', read: (sums, currency) => moneyIn(sums, currency).revenue_cents, ...amount },
    commission: {
      title: commissionTitle,
      read: (sums, currency) => moneyIn(sums, currency).commission_cents,
      ...amount,
    },
    per_click: {
      title: 'Earnings per click',
      read: (sums, currency) => (sums.clicks === 0 ? 0 : moneyIn(sums, currency).commission_cents / sums.clicks),
      isKnown: ({ clicks }) => clicks > 0,
      ...amount,
    },
  };
}

/** The metric that the URL names. */
export function useMetric() {
  const [{ metric = 'clicks' }, setSearch] = useSearchParams();
  return [metric, (chosen: Metric) => setSearch({ metric: chosen }, { replace: true })] as const;
}

type MetricRowProps = { report: Performance; currency: string; commissionTitle: string };

/** Clicks, signups, sales and money of a period, compared with the previous one. Selecting one charts it. */
export function MetricRow({ report, currency, commissionTitle }: MetricRowProps) {
  const [selected, select] = useMetric();
  const views = metricViews(commissionTitle);
  const cards = METRICS.map((name) => {
    const { title, read, format, isKnown = () => true } = views[name];
    const [current, previous] = [read(report.totals, currency), read(report.previous, currency)];
    const value = isKnown(report.totals) ? format(current, currency) : '–';
    const comparison = isKnown(report.totals) && isKnown(report.previous) ? ([current, previous] as const) : null;
    return { name, title, value, comparison, read };
  });
  // Six long amounts do not fit beside each other.
  const isWide = cards.some(({ value }) => value.length > MAX_CHARS_OF_SIX);
  return (
    <div>
      <fieldset className="@container">
        <legend className="sr-only">Metric</legend>
        <div className={`grid grid-cols-2 gap-3 @xl:grid-cols-3 ${isWide ? '' : '@4xl:grid-cols-6'}`}>
          {cards.map(({ name, title, value, comparison, read }) => (
            <MetricButton
              key={name}
              title={title}
              value={value}
              comparison={comparison}
              values={report.series.map((step) => read(step, currency))}
              isSelected={name === selected}
              onSelect={() => select(name)}
            />
          ))}
        </div>
      </fieldset>
      <OtherCurrencies report={report} currency={currency} commissionTitle={commissionTitle} />
    </div>
  );
}

const MAX_CHARS_OF_SIX = 11;

/** What is in other currencies. Amounts in different currencies are never added up, and none is left out. */
export function OtherCurrencies({ report, currency, commissionTitle }: MetricRowProps) {
  const others = report.totals.money.filter((sum) => sum.currency !== currency);
  const listOf = (title: string, of: 'revenue_cents' | 'commission_cents') => {
    const amounts = others.filter((sum) => sum[of] !== 0).map((sum) => formatMoney(sum[of], sum.currency));
    return amounts.length > 0 ? [`${title} ${amounts.join(', ')}`] : [];
  };
  const lists = [...listOf('revenue', 'revenue_cents'), ...listOf(commissionTitle.toLowerCase(), 'commission_cents')];
  if (lists.length === 0) return null;
  return <p className="mt-3 text-sm text-quiet">In other currencies, not included above: {lists.join('; ')}.</p>;
}
