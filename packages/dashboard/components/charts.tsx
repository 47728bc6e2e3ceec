import { formatCount, formatMoney } from '../src/rules/money.ts';
import CountryMap from '../src/ui/charts/country-map.tsx';
import { Funnel } from '../src/ui/charts/funnel.tsx';
import { MetricButton, MetricCard } from '../src/ui/charts/metric-card.tsx';
import { MetricRow, OtherCurrencies } from '../src/ui/charts/metrics.tsx';
import { Sparkline } from '../src/ui/charts/sparkline.tsx';
import { Trend } from '../src/ui/charts/trend.tsx';
import TrendChart from '../src/ui/charts/trend-chart.tsx';
import type { Example } from './example.tsx';
import { reportOf } from './sample-records.ts';

const CLICKS = [120, 180, 160, 240, 310, 280, 260, 400, 380, 420, 510, 190];
const EARLIER = [100, 90, 140, 200, 190, 230, 250, 220, 300, 310, 290, 330];
const COUNTRIES = [
  { code: 'US', name: 'United States', value: 1_284_050 },
  { code: 'DE', name: 'Germany', value: 812_000 },
  { code: 'BR', name: 'Brazil', value: 402_300 },
  { code: 'RU', name: 'Russia', value: 120_000 },
  { code: 'AU', name: 'Australia', value: 640_000 },
  { code: 'ZA', name: 'South Africa', value: 0 },
  { code: 'SG', name: 'Singapore', value: 52_000 },
  { code: 'IN', name: 'India', value: 3 },
  { code: 'FR', name: 'France', value: 1 },
];
const REPORT = reportOf(CLICKS, EARLIER);
const FIRST_REPORT = reportOf([0, 0, 3]);
const NO_REPORT = reportOf([]);
const nothing = () => undefined;
const shared = { currency: 'USD', commissionTitle: 'Commissions' };
const button = { isSelected: false, onSelect: nothing, values: CLICKS };
const points = REPORT.series.map(({ date, last_date: lastDate, clicks, is_finished: isFinished }, index) => ({
  date,
  lastDate,
  value: clicks,
  isFinished,
  previous: index < 6 ? { date, lastDate, value: clicks / 2 } : undefined,
}));
const chart = { title: 'Clicks', interval: 'day', format: String, formatShort: String, height: 160 } as const;

export const charts: readonly Example[] = [
  { name: 'MetricRow', isWide: true, show: () => <MetricRow {...shared} report={REPORT} /> },
  {
    name: 'MetricRow, first days, another metric selected',
    isWide: true,
    at: '/app/programs/1/overview?metric=revenue',
    show: () => <MetricRow {...shared} report={FIRST_REPORT} />,
  },
  {
    name: 'MetricButton: up, down, the same, nothing before, selected, long, no value',
    isWide: true,
    show: () => (
      <div className="tiles">
        <MetricButton {...button} title="Clicks" value="3,450" comparison={[3_450, 2_650]} />
        <MetricButton {...button} title="Signups" value="12" comparison={[12, 24]} />
        <MetricButton {...button} title="Sales" value="7" comparison={[7, 7]} />
        <MetricButton {...button} title="Refunds" value="1" comparison={[1, 0]} values={[]} />
        <MetricButton {...button} title="Revenue" value="$900" comparison={[9, 8]} isSelected />
        <MetricButton {...button} title="Earnings per thousand clicks" value="$1,234,567,890.12" comparison={[2, 1]} />
        <MetricButton {...button} title="Earnings per click" value="–" comparison={null} values={[]} />
      </div>
    ),
  },
  {
    name: 'MetricCard',
    show: () => (
      <dl className="stack">
        <MetricCard title="Payable" value="$980.00" note="After the hold" />
        <MetricCard title="Earned in all currencies together" value="$1,234,567,890,123.45" note="Since March 2019" />
      </dl>
    ),
  },
  { name: 'Funnel', show: () => <Funnel funnel={REPORT.funnel} /> },
  { name: 'Funnel, empty', show: () => <Funnel funnel={NO_REPORT.funnel} /> },
  {
    name: 'Sparkline: rising, flat, only zeros (empty), one value (nothing)',
    show: () => (
      <div className="row">
        <Sparkline values={CLICKS} label="Clicks" />
        <Sparkline values={[5, 5, 5]} label="Flat" />
        <Sparkline values={[0, 0]} label="Zeros" />
        <Sparkline values={[5]} label="One value" />
      </div>
    ),
  },
  {
    name: 'OtherCurrencies',
    show: () => <OtherCurrencies report={REPORT} currency="USD" commissionTitle="Commissions" />,
  },
  {
    name: 'CountryMap: shades, none, too small for it',
    isWide: true,
    show: () => (
      <CountryMap title="Revenue in USD" countries={COUNTRIES} format={(cents) => formatMoney(cents, 'USD')} />
    ),
  },
  {
    name: 'CountryMap: few clicks',
    show: () => <CountryMap title="Clicks" countries={COUNTRIES.slice(-2)} format={formatCount} />,
  },
  { name: 'Trend', isWide: true, until: '.recharts-line', show: () => <Trend {...shared} report={REPORT} /> },
  {
    name: 'Trend, first days, by revenue',
    until: '.recharts-line',
    at: '/app/programs/1/overview?metric=revenue',
    show: () => <Trend {...shared} report={FIRST_REPORT} />,
  },
  {
    name: 'Trend, nothing yet',
    isWide: true,
    show: () => <Trend {...shared} report={NO_REPORT} />,
  },
  {
    name: 'TrendChart: part of the time before',
    until: '.recharts-line',
    show: () => <TrendChart {...chart} points={points} />,
  },
  {
    name: 'TrendChart: one point',
    until: '.recharts-line',
    show: () => <TrendChart {...chart} points={points.slice(-1)} />,
  },
];
