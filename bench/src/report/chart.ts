import type { Measured } from '../measurements/measure-load.ts';
import type { StoreResult } from '../measurements/measure-store.ts';

type Bar = { label: string; perSecond: number; group: 'baseline' | 'postgres' | 'embedded' };

const COLOURS = { baseline: '#9aa4b2', postgres: '#2f6fde', embedded: '#1f9d72' };
const [LABELS, WIDTH, ROW, BAR] = [250, 860, 30, 18];

export function barsOf(bare: Measured, results: StoreResult[]): Bar[] {
  return [
    { label: 'Bare Fastify, stores nothing', perSecond: bare.perSecond, group: 'baseline' },
    ...results.flatMap(({ kind, ...result }): Bar[] => [
      {
        label: `One transaction per click, ${kind}`,
        perSecond: result.oneTransactionPerClick.perSecond,
        group: 'baseline',
      },
      { label: `Clicks, ${kind}`, perSecond: result.clicks.perSecond, group: kind },
      { label: `Redirects, ${kind}`, perSecond: result.redirects.perSecond, group: kind },
      { label: `Leads, ${kind}`, perSecond: result.leads.perSecond, group: kind },
      { label: `Sales, ${kind}`, perSecond: result.sales.perSecond, group: kind },
      { label: `Refunds, ${kind}`, perSecond: result.refunds.perSecond, group: kind },
    ]),
  ];
}

/** Draws bars of requests per second as an SVG for light and dark pages. */
export function drawChart(bars: Bar[]): string {
  const longest = Math.max(...bars.map(({ perSecond }) => perSecond), 1);
  const height = bars.length * ROW + 16;
  const rows = bars.map(({ label, perSecond, group }, index) => {
    const y = 8 + index * ROW;
    const length = Math.max(1, ((WIDTH - LABELS - 90) * perSecond) / longest);
    const text = `font-family="system-ui, sans-serif" font-size="13" fill="#7a8594"`;
    return `  <text x="${LABELS - 8}" y="${y + 14}" text-anchor="end" ${text}>${label}</text>
  <rect x="${LABELS}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="3" fill="${COLOURS[group]}"/>
  <text x="${(LABELS + length + 8).toFixed(1)}" y="${y + 14}" ${text}>${Math.round(perSecond).toLocaleString('en-US')}/s</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Requests per second">
${rows.join('\n')}
</svg>
`;
}
