import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatBucket, formatTick, type Interval } from '../../rules/report.ts';

type Span = { date: string; lastDate: string; value: number };
type Point = Span & { isFinished: boolean; previous: Span | undefined };
type TrendChartProps = {
  title: string;
  interval: Interval;
  points: Point[];
  format: (value: number) => string;
  formatShort: (value: number) => string;
  /** In pixels. One that is measured is zero while the chart is hidden, which the library warns about. */
  height: number;
};

const TICK = { fill: 'var(--color-quiet)', fontSize: 12 };
const STILL = { type: 'monotone', isAnimationActive: false } as const;

/** An area chart with the previous period as a dotted line. What is not finished yet is dashed. */
export default function TrendChart({ title, interval, points, format, formatShort, height }: TrendChartProps) {
  const data = points.map((point, index) => ({
    ...point,
    finished: point.isFinished ? point.value : null,
    // The dashed line starts at the last point that is finished.
    unfinished: point.isFinished && points[index + 1]?.isFinished !== false ? null : point.value,
    before: point.previous?.value ?? null,
  }));
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ComposedChart data={data} margin={{ top: 8, right: 4, bottom: 0, left: 0 }} title={title}>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis
          dataKey="date"
          tickFormatter={(date) => formatTick(String(date), interval)}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          minTickGap={32}
          padding={{ left: 8, right: 8 }}
        />
        <YAxis
          tickFormatter={(value) => formatShort(Number(value))}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          width="auto"
          allowDecimals={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--color-edge)' }}
          content={({ active, payload }) => {
            const point = payload?.[0]?.payload as Point | undefined;
            return active && point ? <PointDetails {...{ point, interval, format }} /> : null;
          }}
        />
        <Line
          {...STILL}
          dataKey="before"
          stroke="var(--color-quiet)"
          strokeOpacity={0.7}
          strokeWidth={1.5}
          strokeDasharray="2 4"
          dot={false}
          activeDot={false}
        />
        <Area
          {...STILL}
          dataKey="finished"
          stroke="var(--color-accent)"
          strokeWidth={2}
          fill="var(--color-accent)"
          fillOpacity={0.1}
          dot={data.length === 1}
        />
        <Line
          {...STILL}
          dataKey="unfinished"
          stroke="var(--color-accent)"
          strokeWidth={2}
          strokeDasharray="5 4"
          dot={data.length === 1 && { strokeDasharray: 'none' }}
          activeDot={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

type PointDetailsProps = { point: Point; interval: Interval; format: (value: number) => string };

function PointDetails({ point, interval, format }: PointDetailsProps) {
  const { previous } = point;
  return (
    <div className="rounded-lg border border-line bg-card px-3 py-2 text-sm shadow-float">
      <div className="text-xs text-quiet">
        {formatBucket(point.date, point.lastDate, interval)}
        {!point.isFinished && ', so far'}
      </div>
      <div className="font-medium tabular-nums">{format(point.value)}</div>
      {previous && (
        <div className="text-xs text-quiet tabular-nums">
          {format(previous.value)} in {formatBucket(previous.date, previous.lastDate, interval)}
        </div>
      )}
    </div>
  );
}
