import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatDay } from '../../rules/time.ts';

type Point = { date: string; value: number };
type TrendChartProps = {
  title: string;
  points: Point[];
  format: (value: number) => string;
  formatShort: (value: number) => string;
};

const TICK = { fill: 'var(--color-quiet)', fontSize: 12 };

/** An area chart with one point per day. */
export default function TrendChart({ title, points, format, formatShort }: TrendChartProps) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <AreaChart data={points} margin={{ top: 8, right: 4, bottom: 0, left: 0 }} title={`${title} by day`}>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis
          dataKey="date"
          tickFormatter={(date) => formatDay(String(date))}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          minTickGap={48}
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
          content={({ active, payload, label }) =>
            active && payload?.[0] ? (
              <div className="rounded-lg border border-line bg-card px-3 py-2 text-sm shadow-float">
                <div className="text-xs text-quiet">{formatDay(String(label))}</div>
                <div className="font-medium tabular-nums">{format(Number(payload[0].value))}</div>
              </div>
            ) : null
          }
        />
        <Area
          dataKey="value"
          name={title}
          type="monotone"
          stroke="var(--color-accent)"
          strokeWidth={2}
          fill="var(--color-accent)"
          fillOpacity={0.1}
          isAnimationActive={false}
        />
      </AreaChart>
    </ResponsiveContainer>
  );
}
