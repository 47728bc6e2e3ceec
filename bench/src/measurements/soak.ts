import { prepareFixtures } from '../fixtures.ts';
import { runLoad } from '../load/run-load.ts';
import type { Options, StoreKind } from '../options.ts';
import { machineFacts } from '../report/machine.ts';
import { bullets, table } from '../report/report.ts';
import { setUp, startService } from '../service.ts';
import { createStore } from '../store.ts';
import { checkRows } from './count-rows.ts';
import { type MemoryUse, watchMemory } from './watch-memory.ts';

/** How much more memory the service may use at the end than in the middle, when the rate windows have reached their full size. */
const MAX_GROWTH = 1.1;

/** A long run of clicks on each store that shows whether memory stays flat and nothing is lost. */
export async function soak(options: Options, seconds: number, print: (line: string) => void): Promise<string> {
  const versions: Record<string, string> = {};
  const rows: string[][] = [];
  for (const kind of options.stores) {
    print(`${kind}: clicks for ${seconds} seconds`);
    const { version, cells } = await soakStore(kind, options, seconds);
    versions[kind] = version;
    rows.push(cells);
  }
  return `# Soak: clicks for ${seconds} seconds

${bullets([
  ...machineFacts(versions),
  `${options.connections} connections after ${options.warmupSeconds} s of warm-up, every request from a different IP address`,
  'Goal: the peak memory of the last third is at most 1.1 times that of the second; by then the rate windows hold two minutes of IP addresses',
])}

${table(
  [
    'Store',
    'Clicks per second',
    'p50 ms',
    'p99 ms',
    'Start MB',
    'Middle MB',
    'End MB',
    'Flat',
    'Acknowledged',
    'Stored',
  ],
  rows,
)}
`;
}

async function soakStore(kind: StoreKind, { connections, warmupSeconds, profileDir }: Options, seconds: number) {
  const store = await createStore(kind);
  try {
    const fixtures = await prepareFixtures(store, await setUp(store), { visitors: 0, buyers: 0 });
    const service = await startService(store, profileDir);
    let memoryOf = (): MemoryUse => ({ startMb: 0, middleMb: 0, endMb: 0, peakMb: 0 });
    const body = { of: 'click', shortLink: fixtures.shortLink } as const;
    const plan = {
      ports: [service.port],
      body,
      connections,
      warmupSeconds,
      seconds,
      maxRequests: Number.MAX_SAFE_INTEGER,
    };
    const load = await runLoad(plan, () => {
      memoryOf = watchMemory(service.url);
    });
    const { startMb, middleMb, endMb } = memoryOf();
    await service.stop();
    const [clicks] = await checkRows(store, fixtures, { clicks: load.acknowledged, leads: 0, sales: 0, refunds: 0 });
    const cells = [
      kind,
      load.perSecond.toFixed(0),
      load.p50Ms.toFixed(1),
      load.p99Ms.toFixed(1),
      ...[startMb, middleMb, endMb].map((mb) => mb.toFixed(0)),
      endMb <= middleMb * MAX_GROWTH ? 'pass' : 'miss',
      String(load.acknowledged),
      String(clicks?.stored),
    ];
    return { version: store.version, cells };
  } finally {
    await store.remove();
  }
}
