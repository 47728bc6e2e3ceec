import type { LoadPlan, LoadResult } from '../load/plan.ts';
import { runLoad } from '../load/run-load.ts';
import type { Running } from '../service.ts';
import { readMetrics, type ServerMetrics } from './server-metrics.ts';

export type Measured = LoadResult & {
  /** CPU time of the server process per response: the number that other work on the machine affects least. */
  serverCpuMicros: number;
  /** The mean number of rows per commit; 0 if rows are not written in groups. */
  groupSize: number;
};

type ClickPlan = Pick<LoadPlan, 'connections' | 'warmupSeconds' | 'seconds' | 'perSecond'>;

/** Puts clicks on a server, as many as it answers unless the plan says how many. `onMeasuring` is called when the warm-up is over. */
export function measureClicks(
  server: Running,
  shortLink: string,
  { connections, warmupSeconds, seconds, perSecond }: ClickPlan,
  onMeasuring?: () => void,
): Promise<Measured> {
  const body = { of: 'click', shortLink } as const;
  const maxRequests = Number.MAX_SAFE_INTEGER;
  const plan = { body, connections, warmupSeconds, seconds, maxRequests, ...(perSecond && { perSecond }) };
  return measureNodes([server], plan, onMeasuring);
}

/** Puts load on a server and adds the server's own metrics for the measured period. */
export function measureLoad(server: Running, plan: Omit<LoadPlan, 'ports'>): Promise<Measured> {
  return measureNodes([server], plan);
}

/** The same on several nodes of one service; their numbers are added. */
export async function measureNodes(
  nodes: Running[],
  plan: Omit<LoadPlan, 'ports'>,
  onMeasuring: () => void = () => {},
): Promise<Measured> {
  let before: Promise<Used[]> | undefined;
  const what = plan.body.of === 'redirect' ? 'clicks' : `${plan.body.of}s`;
  const read = () => Promise.all(nodes.map(async ({ url }) => used(await readMetrics(url), what)));
  const result = await runLoad({ ...plan, ports: nodes.map(({ port }) => port) }, () => {
    before = read();
    onMeasuring();
  });
  const [first, last] = [total((await before) ?? []), total(await read())];
  const groups = last.groups - first.groups;
  return {
    ...result,
    serverCpuMicros: ((last.cpuSeconds - first.cpuSeconds) * 1e6) / Math.max(1, result.measured),
    groupSize: groups === 0 ? 0 : (last.rows - first.rows) / groups,
  };
}

type Used = { cpuSeconds: number; groups: number; rows: number };

function used({ cpuSeconds, groups }: ServerMetrics, what: string): Used {
  return { cpuSeconds, groups: groups[what]?.count ?? 0, rows: groups[what]?.rows ?? 0 };
}

function total(all: Used[]): Used {
  const sum = (of: (each: Used) => number) => all.reduce((so, each) => so + of(each), 0);
  return {
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    groups: sum(({ groups }) => groups),
    rows: sum(({ rows }) => rows),
  };
}
