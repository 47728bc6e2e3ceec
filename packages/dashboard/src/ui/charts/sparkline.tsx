const WIDTH = 72;
const HEIGHT = 22;
const INSET = 2;

type SparklineProps = {
  /** One value per step of time, oldest first. */
  values: readonly number[];
  /** What it shows, for screen readers; without it, the numbers are beside it. */
  label?: string;
  className?: string;
};

/** A small line without axes that shows how something developed. */
export function Sparkline({ values, label, className = 'h-5.5 w-18' }: SparklineProps) {
  if (values.length < 2) return null;
  // A flat line along the bottom would look like something that was measured.
  if (values.every((value) => value === 0)) return <span className={`block ${className}`} />;
  const highest = Math.max(...values, 1);
  const step = (WIDTH - 2 * INSET) / (values.length - 1);
  const heightOf = (value: number) => HEIGHT - INSET - (Math.max(value, 0) / highest) * (HEIGHT - 2 * INSET);
  const points = values.map((value, index) => `${(INSET + index * step).toFixed(1)},${heightOf(value).toFixed(1)}`);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={`shrink-0 text-accent ${className}`}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <polygon
        points={`${INSET},${HEIGHT - INSET} ${points.join(' ')} ${WIDTH - INSET},${HEIGHT - INSET}`}
        fill="currentColor"
        fillOpacity="0.12"
      />
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
