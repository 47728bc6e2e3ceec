import { lastDayOf, PERIOD_NAMES, type Period, type PeriodName, periodOf } from '../../rules/report.ts';
import { type Option, SelectField, TextField } from '../forms/field.tsx';
import { useSearchParams } from '../layout/search-params.ts';

const LABELS: Record<PeriodName, string> = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '12m': 'Last 12 months',
  custom: 'Custom range',
};
const OPTIONS = PERIOD_NAMES.map((name): Option<PeriodName> => [name, LABELS[name]]);

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
  const dates = { from: period.from.slice(0, 10), to: lastDayOf(period) };
  const select = (name: PeriodName) =>
    setSearch(name === 'custom' ? { period: name, ...dates } : { period: name, from: undefined, to: undefined });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="w-40">
        <SelectField label="Period" isLabelHidden options={OPTIONS} value={selected} onValueChange={select} />
      </div>
      {selected === 'custom' && (
        <>
          <TextField
            label="Start date"
            isLabelHidden
            type="date"
            value={dates.from}
            max={dates.to}
            onChange={(event) => event.target.value && setSearch({ from: event.target.value })}
          />
          <TextField
            label="End date"
            isLabelHidden
            type="date"
            value={dates.to}
            min={dates.from}
            onChange={(event) => event.target.value && setSearch({ to: event.target.value })}
          />
        </>
      )}
    </div>
  );
}
