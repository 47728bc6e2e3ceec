// Lets Postgres fail over to its standby while customers use two nodes, and compares everything that was acknowledged with the store.
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { wholeNumber } from '@svc/testkit';
import { problemsOf, rowOf, tableOf, timesOf } from '../faults/report.ts';
import { mustLeaveNothingOut } from '../left-out.ts';
import type { Pair } from './pair.ts';
import { missingPatroni, openPatroniPair } from './patroni-pair.ts';
import { openPromotedPair } from './promoted-pair.ts';
import { type Experience, rehearse } from './rehearse.ts';

type Run = { name: string; count: number; open: () => Promise<Pair>; missing: () => string | null };

const RUNS: Run[] = [
  { name: 'promote', count: 12, open: openPromotedPair, missing: () => null },
  { name: 'patroni', count: 8, open: openPatroniPair, missing: missingPatroni },
];

const USAGE = `npm run test:failover -- [options]
  --only <run>     one of ${RUNS.map(({ name }) => name).join(', ')}
  --failovers <n>  how many in each run (${RUNS.map(({ name, count }) => `${name}: ${count}`).join(', ')})
  --seed <n>       repeats the choices of a run`;

/** Whatever hangs: everything that was started ends with this process. */
const LIMIT_MS = 30 * 60_000;
setTimeout(() => {
  process.stderr.write(`Not finished after ${LIMIT_MS / 60_000} minutes\n`);
  process.exit(1);
}, LIMIT_MS).unref();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

try {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      failovers: { type: 'string' },
      seed: { type: 'string', default: String(randomInt(1, 2 ** 31)) },
    },
  });
  const seed = wholeNumber('--seed', values.seed, 2 ** 31);
  const count = values.failovers === undefined ? undefined : wholeNumber('--failovers', values.failovers, 1_000);
  const runs = RUNS.filter(({ name }) => values.only === undefined || values.only === name);
  if (runs.length === 0) throw new Error(`There is no run ${values.only}`);
  process.stdout.write(`Seed ${seed}, ${availableParallelism()} cores, ${new Date().toISOString().slice(0, 10)}.\n`);
  const rows: string[][] = [];
  const experiences: Experience[] = [];
  const notes: string[] = [];
  let hasProblems = false;
  for (const run of runs) {
    const reason = run.missing();
    if (reason !== null) {
      notes.push(`Skipped ${run.name}: ${reason}.`);
      hasProblems ||= mustLeaveNothingOut();
      continue;
    }
    process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${run.name}\n`);
    try {
      const pair = await run.open();
      if (pair.leftOut) {
        notes.push(pair.leftOut);
        hasProblems ||= mustLeaveNothingOut();
      }
      const outcome = await rehearse(pair, count ?? run.count, seed);
      rows.push(rowOf(run.name, outcome));
      experiences.push(...outcome.experiences);
      const problems = problemsOf(run.name, outcome);
      notes.push(...problems);
      hasProblems ||= problems.length > 0;
    } catch (error) {
      // What other runs have shown is printed all the same.
      notes.push(`${run.name} did not come to its end: ${error instanceof Error ? error.message : String(error)}`);
      hasProblems = true;
    }
  }
  process.stdout.write(`\n${[tableOf(rows), tableOfFailovers(experiences), ...notes].join('\n\n')}\n`);
  process.exit(hasProblems ? 1 : 0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
  process.exit(1);
}

/** One row for each way to fail over. */
function tableOfFailovers(experiences: Experience[]): string {
  const titles = [...new Set(experiences.map(({ title }) => title))];
  const rows = titles.map((title) => {
    const all = experiences.filter((each) => each.title === title);
    return [
      title,
      String(all.length),
      timesOf(all.map(({ promotedMs }) => promotedMs)),
      timesOf(all.flatMap(({ backMs }) => backMs)),
      timesOf(all.map(({ acceptedMs }) => acceptedMs)),
    ];
  });
  return tableOf(rows, [
    'Failover',
    'Times',
    'Promoted after',
    'Each node back after the promotion',
    'Replaced key accepted for',
  ]);
}
