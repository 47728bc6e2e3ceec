import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@svc/server/db/db';
import { openPostgres } from '@svc/server/db/postgres';
import { startPostgres } from '@svc/testkit';
import type { Environment } from '../processes.ts';
import { compareReports, compareSales, untilProcessed } from './compare.ts';
import type { Terms } from './model.ts';
import { environment, Nodes, operate, type StartedNode, startNode } from './nodes.ts';
import type { Release } from './releases.ts';
import { type Program, Shop } from './shop.ts';

export type Rehearsal = { table: string; problems: string[] };
type Options = { seconds: number; workers: number; seed: number };

/** One of each kind, with a rate that makes most commissions fall between two cents. */
const PROGRAMS: { type: string; rate: string; terms: Terms }[] = [
  { type: 'percent', rate: '20', terms: { type: 'percent', tenThousandths: 200_000n } },
  { type: 'percent', rate: '7.3333', terms: { type: 'percent', tenThousandths: 73_333n } },
  { type: 'fixed', rate: '5', terms: { type: 'fixed', cents: 500n } },
];

/** Two nodes of each release. The later ones start at the same time, while the earlier ones work. */
const NODES = 2;
const SHOWN = 10;

export async function rehearse(before: Release, after: Release, options: Options): Promise<Rehearsal> {
  const postgres = await startPostgres({ max_connections: '200' });
  const nodes = new Nodes();
  const db = openPostgres(postgres.url(), () => undefined);
  try {
    const env = environment(postgres.url());
    for (let count = 0; count < NODES; count += 1) nodes.add((await startNode(before, env)).node);
    const shop = new Shop(nodes, await createPrograms(db, before, env), options.seed);
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

async function createPrograms(db: Db, release: Release, env: Environment): Promise<Program[]> {
  type Created = { program_id: number; api_key: string; short_link: string };
  const hasProcessor = release.migrations.some((name) => name >= '0004');
  const programs: Program[] = [];
  for (const { type, rate, terms } of PROGRAMS) {
    const args = ['--commission-type', type, '--commission-rate', rate];
    const {
      program_id: id,
      api_key: apiKey,
      short_link: shortLink,
    } = await operate<Created>(release, env, 'setup', ...args);
    const account = hasProcessor ? `acct_${id}` : null;
    if (account) await connect(db, id, account);
    programs.push({ id, apiKey, shortLink, terms, account });
  }
  return programs;
}

/** Every release since there are payment processors knows a connection by these columns. */
async function connect(db: Db, programId: number, account: string): Promise<void> {
  await db.query(
    `insert into processor_connections (program_id, provider, account_id, connected_at) values ($1, 'stripe', $2, now())`,
    [programId, account],
  );
  await db.query(
    'insert into processor_accounts (account_id, advertiser_id) select $2, advertiser_id from programs where id = $1',
    [programId, account],
  );
}

type Run = { before: Release; after: Release; shop: Shop; started: StartedNode[]; seconds: number };

async function judge(db: Db, { before, after, shop, started, seconds }: Run): Promise<Rehearsal> {
  await untilProcessed(db);
  const { lost, doubled, wrong } = await compareSales(db, shop.sales);
  const reports = await compareReports(db, shop);
  const [stats] = await db.query<{ deadlocks: number }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
    [],
  );
  const { sender, wrongAnswers } = shop;
  const failedStarts = started.flatMap((each) => each.failedStarts);
  const retries = started.flatMap(({ node }) => node.log).filter((line) => line.includes('retrying it')).length;
  const migrations = after.migrations.filter((name) => !before.migrations.includes(name));
  const table = tableOf([
    ['Upgrade', `${before.name} → ${after.name}`],
    ['Migrations', String(migrations.length)],
    ['Load', `${Math.round(sender.answered / seconds)} requests/s for ${Math.round(seconds)} s`],
    ['Acknowledged', `${shop.clicks} clicks, ${shop.leads} leads, ${shop.sales.length} sales, ${shop.refunds} refunds`],
    ['New nodes ready after', started.map(({ readyMs }) => `${(readyMs / 1000).toFixed(1)} s`).join(', ')],
    ['Migrations retried', String(retries)],
    ['Longest request', `${(sender.longestMs / 1000).toFixed(1)} s`],
    ['Failed starts', String(failedStarts.length)],
    ['Deadlocks', String(stats?.deadlocks ?? 0)],
    ['Failed requests', String(sender.failures.length)],
    ['Wrong answers', String(wrongAnswers.length)],
    ['Lost sales', String(lost.length)],
    ['Doubled sales', String(doubled.length)],
    ['Wrong amounts', String(wrong.length)],
    ['Wrong reports', String(reports.length)],
  ]);
  const problems = [
    sectionOf('Failed starts', failedStarts),
    sectionOf('Deadlocks', stats?.deadlocks ? [`${stats.deadlocks} in the database's statistics`] : []),
    sectionOf('Failed requests', sender.failures),
    sectionOf('Wrong answers', wrongAnswers),
    sectionOf('Lost sales', lost),
    sectionOf('Doubled sales', doubled),
    sectionOf('Wrong amounts', wrong),
    sectionOf('Wrong reports', reports),
  ].filter((section) => section !== null);
  return { table, problems };
}

function tableOf(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `| ${name.padEnd(width)} | ${value}`).join('\n');
}

function sectionOf(title: string, lines: string[]): string | null {
  if (lines.length === 0) return null;
  const more = lines.length > SHOWN ? [`… and ${lines.length - SHOWN} more`] : [];
  return [`${title}: ${lines.length}`, ...lines.slice(0, SHOWN), ...more].join('\n  ');
}
