import { addressThrough, findPgBouncer, startPgBouncer } from '@svc/testkit';
import { describeRates, median } from '../load/send-sales.ts';
import type { Options } from '../options.ts';
import { machineFacts } from '../report/machine.ts';
import { bullets, table } from '../report/report.ts';
import { setUp, startService } from '../service.ts';
import { type BenchStore, createStore } from '../store.ts';
import { type Measured, measureClicks } from './measure-load.ts';
import { cpuSecondsOf, postgresCpuSeconds } from './postgres-cpu.ts';

const ROUNDS = 5;
const GOAL = 0.9;

/** What a click takes of the processors, in microseconds: also where other work makes the rates unsteady, this is comparable. */
type Run = Measured & { postgresMicros: number; poolerMicros: number };

/** Measures clicks on a Postgres server itself and through PgBouncer in transaction mode, in turns. */
export async function measurePooler(options: Options, print: (line: string) => void): Promise<string> {
  if (!findPgBouncer()) throw new Error('pgbouncer is not installed');
  const store = await createStore('postgres');
  const databaseUrl = store.env.DATABASE_URL as string;
  const pooler = await startPgBouncer(databaseUrl);
  const ways = {
    direct: store,
    pooled: { ...store, env: { ...store.env, ...addressThrough(pooler.url, databaseUrl) } },
  };
  const runs: Record<keyof typeof ways, Run[]> = { direct: [], pooled: [] };
  try {
    const { short_link: shortLink } = await setUp(store);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const way of ['direct', 'pooled'] as const) {
        const run = await measure(ways[way], shortLink, options, pooler.pid);
        runs[way].push(run);
        print(`${way}: ${Math.round(run.perSecond)} clicks/s, ${run.unanswered} without a response`);
      }
    }
  } finally {
    await pooler.remove();
    await store.remove();
  }
  return writePage(options, store.version, runs);
}

async function measure(store: BenchStore, shortLink: string, options: Options, poolerPid: number): Promise<Run> {
  const service = await startService(store, options.profileDir);
  const used = async () => [await store.withDb(postgresCpuSeconds), await cpuSecondsOf(poolerPid)] as const;
  const before = await used();
  const result = await measureClicks(service, shortLink, options);
  const after = await used();
  await service.stop();
  const perClick = (index: 0 | 1) => ((after[index] - before[index]) * 1e6) / Math.max(1, result.acknowledged);
  return { ...result, postgresMicros: perClick(0), poolerMicros: perClick(1) };
}

function writePage(
  { connections, seconds }: Options,
  version: string,
  { direct, pooled }: Record<'direct' | 'pooled', Run[]>,
): string {
  const ratio = rateOf(pooled) / rateOf(direct);
  const verdict = `${ratio.toFixed(2)} (goal: at least ${GOAL}, **${ratio >= GOAL ? 'pass' : 'miss'}**)`;
  return `# Clicks through a pooler

${bullets([
  ...machineFacts({ postgres: version }),
  `${connections} connections, ${seconds} seconds each, ${ROUNDS} rounds in turns; the median, and the lowest and highest round`,
  'PgBouncer in transaction mode, without prepared statements, on the same machine as everything else',
])}

${table(
  ['Connections', 'Clicks/s', 'p99 ms', 'CPU µs per click: service', 'Postgres', 'PgBouncer', 'together'],
  [
    ['to the server', ...columns(direct)],
    ['through PgBouncer', ...columns(pooled)],
    ['ratio', verdict, '', '', '', '', (cpuOf(direct) / cpuOf(pooled)).toFixed(2)],
  ],
)}
`;
}

const rateOf = (runs: Run[]) => median(runs.map(({ perSecond }) => perSecond));
const cpuOf = (runs: Run[]) =>
  median(
    runs.map(({ serverCpuMicros, postgresMicros, poolerMicros }) => serverCpuMicros + postgresMicros + poolerMicros),
  );

const columns = (runs: Run[]): string[] => [
  describeRates(runs.map(({ perSecond }) => perSecond)),
  median(runs.map(({ p99Ms }) => p99Ms)).toFixed(1),
  median(runs.map(({ serverCpuMicros }) => serverCpuMicros)).toFixed(0),
  median(runs.map(({ postgresMicros }) => postgresMicros)).toFixed(0),
  median(runs.map(({ poolerMicros }) => poolerMicros)).toFixed(0),
  cpuOf(runs).toFixed(0),
];
