import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareFixtures } from '../fixtures.ts';
import type { Options } from '../options.ts';
import { machineFacts } from '../report/machine.ts';
import { bullets, table } from '../report/report.ts';
import { setUp, startArchivingService } from '../service.ts';
import { type BenchStore, createStore } from '../store.ts';
import { type Measured, measureClicks } from './measure-load.ts';
import { bytesOfClicks, storeClicks } from './measure-sizes.ts';

/** Of the rate before and after. */
const GOAL = 0.9;
/** Long enough ago to be due. The days are those of one month, whatever today is. */
const MONTHS_AGO = 14;
const DAYS = 28;
const ARCHIVED_WITHIN_MS = 30 * 60_000;

type Manifest = { rows: number; files: { bytes: number }[] };

/** Archives a month of clicks while the service gets others, and compares their rate with that before and after. */
export async function measureArchive(options: Options, print: (line: string) => void): Promise<string> {
  const { seconds, clicks } = options;
  const store = await createStore('postgres');
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-archive-'));
  try {
    const { shortLink, programId } = await prepareFixtures(store, await setUp(store), { visitors: 0, buyers: 0 });
    const { month, newest } = pastMonth(new Date());
    await storeClicks(store, programId, { from: 0, to: clicks }, print, { newest, days: DAYS });
    const bytesBefore = await bytesOfClicks(store);
    const service = await startArchivingService(store, folder);
    const load = (seconds: number) => measureClicks(service, shortLink, { ...options, seconds });
    print('before');
    const before = await load(seconds);
    print(`while ${month} is archived`);
    const startedAt = performance.now();
    service.archive();
    const meanwhile = await load(seconds * 3);
    // The rate is known now, so the job may hurry: it rests nine tenths of its time.
    service.archive();
    await untilArchived(store);
    const archivedMs = performance.now() - startedAt;
    print('after');
    const after = await load(seconds);
    await service.stop();
    const manifest = JSON.parse(await readFile(join(folder, 'clicks', month, '_manifest.json'), 'utf8')) as Manifest;
    const bytesAfter = await bytesOfClicks(store);
    return writePage(options, store, { before, meanwhile, after, archivedMs, manifest, bytesBefore, bytesAfter });
  } finally {
    await store.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A month that is due, and how many days ago its 28th was. */
function pastMonth(now: Date): { month: string; newest: number } {
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS_AGO, DAYS, now.getUTCHours()));
  return { month: last.toISOString().slice(0, 7), newest: Math.round((now.getTime() - last.getTime()) / 86_400_000) };
}

async function untilArchived(store: BenchStore): Promise<void> {
  const deadline = performance.now() + ARCHIVED_WITHIN_MS;
  const isDone = () =>
    store.withDb((db) =>
      db
        .query('select from retired_click_months where visitors_removed_at is not null', [])
        .then((rows) => rows.length > 0),
    );
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error('The month was not archived in time');
    await sleep(500);
  }
}

type Result = {
  before: Measured;
  meanwhile: Measured;
  after: Measured;
  archivedMs: number;
  manifest: Manifest;
  bytesBefore: number;
  bytesAfter: number;
};

function writePage(
  { connections, seconds, clicks }: Options,
  { version }: BenchStore,
  { before, meanwhile, after, archivedMs, manifest, bytesBefore, bytesAfter }: Result,
): string {
  const ratio = meanwhile.perSecond / ((before.perSecond + after.perSecond) / 2);
  const others = before.acknowledged + meanwhile.acknowledged + after.acknowledged;
  const archivedBytes = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`;
  const row = (name: string, { perSecond, p99Ms, serverCpuMicros }: Measured) => [
    name,
    Math.round(perSecond).toLocaleString('en-US'),
    p99Ms.toFixed(1),
    serverCpuMicros.toFixed(0),
  ];
  return `# Clicks while a month is archived

${bullets([
  ...machineFacts({ 'real Postgres': version }),
  `${connections} connections; ${seconds} s before and after, ${3 * seconds} s meanwhile`,
  `Archived, read back and removed, with the visitors who did nothing else: ${manifest.rows.toLocaleString('en-US')} of ${clicks.toLocaleString('en-US')} clicks in ${Math.round(archivedMs / 1000)} s, most of them without rests`,
  `Clicks and customers took ${megabytes(bytesBefore)} before; the files take ${megabytes(archivedBytes)}. Afterwards they take ${megabytes(bytesAfter)}, with ${others.toLocaleString('en-US')} clicks of this run`,
  `Goal: clicks keep ${GOAL} of their rate meanwhile: ${ratio.toFixed(2)}, **${ratio >= GOAL ? 'pass' : 'miss'}**`,
])}

${table(['Clicks', 'Per second', 'p99 ms', 'Service CPU µs'], [row('Before', before), row('Meanwhile', meanwhile), row('After', after)])}
`;
}
