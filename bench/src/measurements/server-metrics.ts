/** The token with which the measured service gives its metrics out. */
export const METRICS_TOKEN = 'the token of the benchmark';

/** What a server reports on /metrics. */
export type ServerMetrics = {
  residentMb: number;
  cpuSeconds: number;
  /** The number of rows written in groups, and the number of groups. */
  groups: Record<string, { rows: number; count: number }>;
};

export async function readMetrics(url: string): Promise<ServerMetrics> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const metrics: ServerMetrics = { residentMb: 0, cpuSeconds: 0, groups: {} };
  for (const line of (await answer.text()).split('\n')) {
    const [name = '', text = ''] = line.split(' ');
    if (name === 'process_resident_memory_bytes') metrics.residentMb = Number(text) / 1024 / 1024;
    if (name === 'process_cpu_seconds_total') metrics.cpuSeconds = Number(text);
    const [, part, what = ''] = /^svc_group_size_(sum|count)\{what="(\w+)"\}$/.exec(name) ?? [];
    if (!part) continue;
    const group = metrics.groups[what] ?? { rows: 0, count: 0 };
    metrics.groups[what] = part === 'sum' ? { ...group, rows: Number(text) } : { ...group, count: Number(text) };
  }
  return metrics;
}
