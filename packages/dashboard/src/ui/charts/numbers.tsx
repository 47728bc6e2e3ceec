import type { Data } from '../../api/client.ts';
import { formatCount, formatMoney, mainCurrency } from '../../rules/money.ts';
import { Stat } from './stat.tsx';

export type Performance = Data<'managePerformance'>;
type Totals = Performance['totals'];

const NOTHING = { revenue_cents: 0, refunded_cents: 0, commission_cents: 0 };

export function moneyIn(numbers: Pick<Totals, 'money'>, currency: string) {
  return numbers.money.find((part) => part.currency === currency) ?? { currency, ...NOTHING };
}

/** The currency a report is shown in; the others are named beside it. */
export function currencyOf({ totals }: Performance, preferred?: string): string {
  return mainCurrency(totals.money, (part) => part.revenue_cents, preferred);
}

type NumbersProps = { report: Performance; currency: string; commissionTitle: string };

/** Clicks, leads, sales and money of a period beside those of the period before. */
export function NumberRow({ report, currency, commissionTitle }: NumbersProps) {
  const { totals, previous } = report;
  const [money, moneyBefore] = [moneyIn(totals, currency), moneyIn(previous, currency)];
  const counts = [
    ['Clicks', totals.clicks, previous.clicks],
    ['Signups', totals.leads, previous.leads],
    ['Sales', totals.sales, previous.sales],
  ] as const;
  const amounts = [
    ['Revenue', money.revenue_cents, moneyBefore.revenue_cents],
    [commissionTitle, money.commission_cents, moneyBefore.commission_cents],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-5">
      {counts.map(([title, now, before]) => (
        <Stat key={title} title={title} value={formatCount(now)} now={now} before={before} />
      ))}
      {amounts.map(([title, now, before]) => (
        <Stat key={title} title={title} value={formatMoney(now, currency)} now={now} before={before} />
      ))}
    </dl>
  );
}

/** What came in in other currencies; amounts of different ones are never added up. */
export function OtherCurrencies({ report, currency }: { report: Performance; currency: string }) {
  const others = report.totals.money.filter((part) => part.currency !== currency);
  if (others.length === 0) return null;
  const list = others.map((part) => formatMoney(part.revenue_cents, part.currency)).join(', ');
  return <p className="mt-3 text-sm text-quiet">Revenue in other currencies, not added up here: {list}.</p>;
}
