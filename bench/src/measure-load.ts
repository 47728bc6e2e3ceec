import type { LoadPlan, LoadResult } from './load/plan.ts';
import { runLoad } from './load/run-load.ts';
import { readMetrics, type ServerMetrics } from './server-metrics.ts';
import type { Running } from './service.ts';

export type Measured = LoadResult & {
  /** CPU time of the server's process for each answer: what other work on the machine disturbs least. */
  serverCpuMicros: number;
  /** The mean number of rows that shared a commit; 0 where rows are not written in groups. */
  groupSize: number;
};

/** Puts a load on a server and adds what the server says about itself for the measured period. */
export async function measureLoad({ url, port }: Running, plan: Omit<LoadPlan, 'port'>): Promise<Measured> {
  let before: Promise<ServerMetrics> | undefined;
  const result = await runLoad({ ...plan, port }, () => {
    before = readMetrics(url);
  });
  const [first, last] = [await before, await readMetrics(url)];
  const what = `${plan.body.of}s`;
  const groups = (last.groups[what]?.count ?? 0) - (first?.groups[what]?.count ?? 0);
  const rows = (last.groups[what]?.rows ?? 0) - (first?.groups[what]?.rows ?? 0);
  return {
    ...result,
    serverCpuMicros: ((last.cpuSeconds - (first?.cpuSeconds ?? 0)) * 1e6) / Math.max(1, result.measured),
    groupSize: groups === 0 ? 0 : rows / groups,
  };
}
