import { PERIODS, type Period, type PeriodName, periodOf } from '../../rules/period.ts';
import type { Choice } from '../forms/field.tsx';
import { SelectField, TextField } from '../forms/field.tsx';
import { useFilters } from '../layout/urls.ts';

const WORDS: Record<PeriodName, string> = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '12m': 'Last 12 months',
};
const CHOICES: Choice[] = [
  ...(Object.keys(PERIODS) as PeriodName[]).map((name): Choice => [name, WORDS[name]]),
  ['own', 'Own dates'],
];

/** The period that the address names. */
export function usePeriod(): Period {
  const [search] = useFilters();
  return periodOf(search, new Date());
}

/** Chooses the period of a report. */
export function PeriodPicker() {
  const [search, change] = useFilters();
  const period = usePeriod();
  const isOwn = search.period === 'own';
  const dates = { from: period.from.slice(0, 10), to: lastDayOf(period) };
  const pick = (name: string) =>
    change(name === 'own' ? { period: 'own', ...dates } : { period: name, from: undefined, to: undefined });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="w-40">
        <SelectField
          label="Period"
          isLabelHidden
          choices={CHOICES}
          value={isOwn ? 'own' : (search.period ?? '30d')}
          onChange={(event) => pick(event.target.value)}
        />
      </div>
      {isOwn && (
        <>
          <TextField
            label="First day"
            isLabelHidden
            type="date"
            value={dates.from}
            max={dates.to}
            onChange={(event) => event.target.value && change({ from: event.target.value })}
          />
          <TextField
            label="Last day"
            isLabelHidden
            type="date"
            value={dates.to}
            min={dates.from}
            onChange={(event) => event.target.value && change({ to: event.target.value })}
          />
        </>
      )}
    </div>
  );
}

function lastDayOf({ to }: Period): string {
  return new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
}
