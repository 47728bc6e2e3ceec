import type { Data } from '../../api/client.ts';
import { formatCount, formatMoney, mainCurrency } from '../../rules/money.ts';
import { MetricCard } from './metric-card.tsx';

export type Performance = Data<'managePerformance'>;
type Totals = Performance['totals'];

const NO_MONEY = { revenue_cents: 0, refunded_cents: 0, commission_cents: 0 };

/** The amounts in one currency; zero when there are none. */
export function moneyIn({ money }: Pick<Totals, 'money'>, currency: string) {
  return money.find((sum) => sum.currency === currency) ?? { currency, ...NO_MONEY };
}

/** The currency a report is shown in. */
export function currencyOf({ totals }: Performance, preferred?: string): string {
  return mainCurrency(totals.money, (sum) => sum.revenue_cents, preferred);
}

type MetricRowProps = { report: Performance; currency: string; commissionTitle: string };

/** Clicks, signups, sales and money of a period, compared with the previous one. */
export function MetricRow({ report, currency, commissionTitle }: MetricRowProps) {
  const { totals, previous } = report;
  const [money, previousMoney] = [moneyIn(totals, currency), moneyIn(previous, currency)];
  const counts = [
    ['Clicks', totals.clicks, previous.clicks],
    ['Signups', totals.leads, previous.leads],
    ['Sales', totals.sales, previous.sales],
  ] as const;
  const amounts = [
    ['Revenue', money.revenue_cents, previousMoney.revenue_cents],
    [commissionTitle, money.commission_cents, previousMoney.commission_cents],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-5">
      {counts.map(([title, current, before]) => (
        <MetricCard key={title} title={title} value={formatCount(current)} comparison={[current, before]} />
      ))}
      {amounts.map(([title, current, before]) => (
        <MetricCard key={title} title={title} value={formatMoney(current, currency)} comparison={[current, before]} />
      ))}
    </dl>
  );
}

/** Revenue in other currencies. Amounts in different currencies are never added up. */
export function OtherCurrencies({ report, currency }: { report: Performance; currency: string }) {
  const others = report.totals.money.filter((sum) => sum.currency !== currency);
  if (others.length === 0) return null;
  const list = others.map((sum) => formatMoney(sum.revenue_cents, sum.currency)).join(', ');
  return <p className="mt-3 text-sm text-quiet">Revenue in other currencies, not included above: {list}.</p>;
}
