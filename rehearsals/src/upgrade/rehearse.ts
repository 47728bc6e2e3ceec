import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@svc/server/db/db';
import { openPostgres } from '@svc/server/db/engines/postgres';
import { findProgram } from '@svc/server/programs/program-store';
import { runSimulation } from '@svc/server/terms/simulation/run-simulation';
import { startPostgres } from '@svc/testkit';
import { sectionOf } from '../problems.ts';
import { compareStore } from '../shop/compare.ts';
import { Nodes, SETTINGS, type StartedNode, startNode } from '../shop/nodes.ts';
import { connectAccount, untilProcessed } from '../shop/processing.ts';
import { createPrograms, type Program } from '../shop/programs.ts';
import { Shop } from '../shop/shop.ts';
import type { Release } from './releases.ts';

export type Rehearsal = { table: string; problems: string[] };
type Options = { seconds: number; workers: number; seed: number };

/** Two nodes of each release. The later ones start at the same time, while the earlier ones work. */
const NODES = 2;
/** Longer than any migration of the test takes: a request that waits for one is not a failed request. */
const TIMEOUT_MS = 60_000;
const RESENDS = 5;

export async function rehearse(before: Release, after: Release, options: Options): Promise<Rehearsal> {
  const postgres = await startPostgres({ max_connections: '200' });
  const nodes = new Nodes();
  const db = openPostgres(postgres.url());
  try {
    const env = { ...SETTINGS, DATABASE_URL: postgres.url() };
    for (let count = 0; count < NODES; count += 1) nodes.add((await startNode(before, env)).node);
    const programs = await connectAll(db, before, await createPrograms(before, env));
    const shop = new Shop(nodes, programs, { seed: options.seed, timeoutMs: TIMEOUT_MS, resends: RESENDS });
    shop.start(options.workers);
    const from = performance.now();
    await sleep(options.seconds * 1000);
    const started = await Promise.all(Array.from({ length: NODES }, () => startNode(after, env)));
    for (const { node } of started) nodes.add(node);
    await sleep(options.seconds * 1000);
    await nodes.retire(before.name);
    await sleep(options.seconds * 1000);
    await shop.stop();
    return await judge(db, { before, after, shop, started, seconds: (performance.now() - from) / 1000 });
  } finally {
    await nodes.stopAll();
    await db.close();
    await postgres.remove();
  }
}

/** To the payment processor, in releases that know one. */
async function connectAll(db: Db, { migrations }: Release, programs: Program[]): Promise<Program[]> {
  if (!migrations.some((name) => name >= '0004')) return programs;
  return Promise.all(programs.map((program) => connectAccount(db, program)));
}

type Run = { before: Release; after: Release; shop: Shop; started: StartedNode[]; seconds: number };

async function judge(db: Db, { before, after, shop, started, seconds }: Run): Promise<Rehearsal> {
  await untilProcessed(db);
  const { lost, doubled, wrong, reports } = await compareStore(db.untimed, shop);
  const [stats] = await db.query<{ deadlocks: number }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
    [],
  );
  const unproven = await findUnproven(db.untimed);
  const { sender, wrongAnswers } = shop;
  const failedStarts = started.flatMap((each) => each.failedStarts);
  const retried = started.flatMap(({ node }) => node.log).filter((line) => line.includes('retrying it'));
  const migrations = after.migrations.filter((name) => !before.migrations.includes(name));
  const table = tableOf([
    ['Upgrade', `${before.name} → ${after.name}`],
    ['Migrations', String(migrations.length)],
    ['Load', `${Math.round(sender.answered / seconds)} requests/s for ${Math.round(seconds)} s`],
    ['Acknowledged', acknowledgedBy(shop)],
    ['New nodes ready after', started.map(({ readyMs }) => `${(readyMs / 1000).toFixed(1)} s`).join(', ')],
    ['Migrations retried', [String(retried.length), ...retried.map(migrationOf)].join(' ')],
    ['Longest request', `${(sender.longestMs / 1000).toFixed(1)} s`],
    ['Failed starts', String(failedStarts.length)],
    ['Deadlocks', String(stats?.deadlocks ?? 0)],
    ['Failed requests', String(sender.failures.length)],
    ['Wrong answers', String(wrongAnswers.length)],
    ['Lost events', String(lost.length)],
    ['Doubled events', String(doubled.length)],
    ['Wrong amounts', String(wrong.length)],
    ['Wrong reports', String(reports.length)],
    ['Programs whose terms do not give what was paid', String(unproven.length)],
  ]);
  const problems = [
    sectionOf('Failed starts', failedStarts),
    sectionOf('Deadlocks', stats?.deadlocks ? [`${stats.deadlocks} in the database's statistics`] : []),
    sectionOf('Failed requests', sender.failures),
    sectionOf('Wrong answers', wrongAnswers),
    sectionOf('Lost events', lost),
    sectionOf('Doubled events', doubled),
    sectionOf('Wrong amounts', wrong),
    sectionOf('Wrong reports', reports),
    sectionOf('Programs whose terms do not give what was paid', unproven),
  ].filter((section) => section !== null);
  return { table, problems };
}

const EVER = { from: new Date('2000-01-01'), to: new Date('2100-01-01') };

/** The programs whose terms, applied again, do not give every commission to the cent. */
async function findUnproven(db: Db): Promise<string[]> {
  const ids = await db.query<{ id: number }>('select id from programs where deleted_at is null order by id', []);
  const unproven: string[] = [];
  for (const { id } of ids) {
    const program = await findProgram(db, id);
    if (!program) continue;
    const context = { db, now: () => new Date(), log: console };
    const proposal = { rules: program.rules, isOwnClick: () => false };
    const { matchesActual, sales } = await runSimulation(context, program, proposal, EVER);
    if (!matchesActual) unproven.push(`program ${id} with ${sales} sales`);
  }
  return unproven;
}

function acknowledgedBy({ clicks, leads, sales, refunds }: Shop): string {
  return `${clicks.length} clicks, ${leads.length} leads, ${sales.length} sales, ${refunds} refunds`;
}

/** The number of the migration that a line of the log is about. */
function migrationOf(line: string): string {
  return /"migration":"(\d+)/.exec(line)?.[1] ?? '';
}

function tableOf(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `| ${name.padEnd(width)} | ${value}`).join('\n');
}
