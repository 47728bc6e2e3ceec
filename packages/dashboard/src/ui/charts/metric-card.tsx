import { formatChange } from '../../rules/report.ts';

type MetricCardProps = { title: string; value: string } & (
  | { comparison: readonly [current: number, previous: number]; note?: never }
  | { comparison?: never; note: string }
);

/** One number, with its change from the previous period or a note below it. */
export function MetricCard({ title, value, comparison, note }: MetricCardProps) {
  const [current, previous] = comparison ?? [0, 0];
  const change = formatChange(current, previous);
  const color = change === null || current === previous ? 'text-quiet' : current > previous ? 'text-good' : 'text-bad';
  return (
    <div className="min-w-0 rounded-xl border border-line bg-card px-4 py-3.5 shadow-card">
      <dt className="text-caption text-quiet">{title}</dt>
      <dd>
        <span className="block truncate text-figure leading-8 font-semibold tracking-tight tabular-nums" title={value}>
          {value}
        </span>
        <span className={`block text-xs ${color}`}>
          {note ?? (change ? `${change} vs. prior period` : 'No prior data')}
        </span>
      </dd>
    </div>
  );
}
