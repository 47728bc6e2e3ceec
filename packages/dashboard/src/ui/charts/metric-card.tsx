import { formatChange } from '../../rules/report.ts';
import { Sparkline } from './sparkline.tsx';

const BOX = 'min-w-0 rounded-xl border px-4 py-3.5 shadow-card';
const VALUE = 'block min-h-8 leading-8 font-semibold tracking-tight tabular-nums [overflow-wrap:anywhere]';

/** How wide a character is at most on average, as a part of the font size. */
const CHAR_WIDTH = 0.62;

/** A value as large as its card allows; one that would be too small to read goes on in a second line. */
function Value({ children }: { children: string }) {
  const fitting = `calc(100cqi / ${(children.length * CHAR_WIDTH).toFixed(2)})`;
  return (
    <span className="@container block">
      <span className={VALUE} style={{ fontSize: `clamp(0.8125rem, ${fitting}, var(--text-figure))` }}>
        {children}
      </span>
    </span>
  );
}

/** One number, with a note below it. */
export function MetricCard({ title, value, note }: { title: string; value: string; note: string }) {
  return (
    <div className={`${BOX} border-line bg-card`}>
      <dt className="text-caption text-quiet">{title}</dt>
      <dd>
        <Value>{value}</Value>
        <span className="block text-xs text-quiet">{note}</span>
      </dd>
    </div>
  );
}

type MetricButtonProps = {
  title: string;
  value: string;
  /** Null when one of the two periods has no value. */
  comparison: readonly [current: number, previous: number] | null;
  /** Its development in the period. */
  values: readonly number[];
  isSelected: boolean;
  onSelect: () => void;
};

/** One number, with its change from the previous period, that can be selected. */
export function MetricButton({ title, value, comparison, values, isSelected, onSelect }: MetricButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      onClick={onSelect}
      className={`${BOX} @container flex flex-col border-line bg-card text-left hover:border-edge aria-pressed:border-accent aria-pressed:ring-1 aria-pressed:ring-accent`}
    >
      <span className="block truncate text-caption text-quiet">{title}</span>
      <Value>{value}</Value>
      <Change comparison={comparison} />
      <Sparkline values={values} className="mt-2 h-6 w-full" />
    </button>
  );
}

function Change({ comparison }: Pick<MetricButtonProps, 'comparison'>) {
  if (comparison === null) return <span className="block text-xs text-quiet">Nothing to compare</span>;
  const [current, previous] = comparison;
  const change = formatChange(current, previous);
  if (change === null) return <span className="block text-xs text-quiet">No prior data</span>;
  const color = current === previous ? 'text-quiet' : current > previous ? 'text-good' : 'text-bad';
  // One line, so that all cards of a row align.
  return (
    <span className={`block truncate text-xs ${color}`}>
      {change} vs. prior <span className="sr-only @min-[9rem]:not-sr-only">period</span>
    </span>
  );
}
