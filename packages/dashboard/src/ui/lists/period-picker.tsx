import { formatRange, monthsToReport, todayOf } from '../../rules/calendar.ts';
import { lastDayOf, PERIOD_NAMES, type Period, type PeriodName, periodOf } from '../../rules/report.ts';
import { DateRange } from '../forms/date-range.tsx';
import { useSearchParams } from '../layout/search-params.ts';

const LABELS: Record<Exclude<PeriodName, 'custom'>, string> = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '12m': 'Last 12 months',
};
const isNamed = (name: PeriodName): name is keyof typeof LABELS => name !== 'custom';

/** The period that the URL names. */
export function usePeriod(): Period {
  const [search] = useSearchParams();
  return periodOf(search, new Date());
}

/** Selects the period of a report. */
export function PeriodPicker() {
  const [search, setSearch] = useSearchParams();
  const period = usePeriod();
  const selected = search.from && search.to ? 'custom' : (search.period ?? '30d');
  const range = { from: period.from.slice(0, 10), to: lastDayOf(period) };
  const spans = PERIOD_NAMES.filter(isNamed).map((name) => ({
    title: LABELS[name],
    isSelected: name === selected,
    onSelect: () => setSearch({ period: name, from: undefined, to: undefined }),
  }));
  const months = monthsToReport(todayOf(new Date())).map(([title, days]) => ({
    title,
    isSelected: selected === 'custom' && days.from === range.from && days.to === range.to,
    onSelect: () => setSearch({ period: 'custom', ...days }),
  }));
  return (
    <DateRange
      label="Period"
      text={isNamed(selected) ? LABELS[selected] : formatRange(range)}
      range={range}
      presets={[...spans, ...months]}
      onChange={(days) => setSearch({ period: 'custom', ...days })}
      align="end"
    />
  );
}
