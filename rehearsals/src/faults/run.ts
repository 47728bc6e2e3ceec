// Lets things go wrong while customers use the service, and compares everything that was acknowledged with the store.
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { wholeNumber } from '@svc/testkit';
import { mustLeaveNothingOut } from '../left-out.ts';
import { problemsOf, rowOf, tableOf } from './report.ts';
import { RUNS } from './runs.ts';

const USAGE = `npm run test:faults -- [options]
  --only <runs>    comma-separated: ${RUNS.map(({ name }) => name).join(', ')}
  --seed <n>       repeats the choices of a run
  --scale <share>  multiplies the number of faults and events, such as 0.2 (1)`;

// An interrupted run ends what it started, and unmounts what it mounted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

try {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      seed: { type: 'string', default: String(randomInt(1, 2 ** 31)) },
      scale: { type: 'string', default: '1' },
    },
  });
  const options = { seed: wholeNumber('--seed', values.seed, 2 ** 31), scale: readScale(values.scale) };
  process.stdout.write(
    `Seed ${options.seed}, ${availableParallelism()} cores, ${new Date().toISOString().slice(0, 10)}.\n`,
  );
  const rows: string[][] = [];
  const skipped: string[] = [];
  const problems: string[] = [];
  for (const { name, title, run, missing } of chooseRuns(values.only)) {
    const reason = missing?.() ?? null;
    if (reason !== null) {
      skipped.push(`Skipped ${name}: ${reason}.`);
      continue;
    }
    process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${name}\n`);
    try {
      const outcome = await run(options);
      rows.push(rowOf(title, outcome));
      problems.push(...problemsOf(title, outcome));
    } catch (error) {
      problems.push(`${title}. Did not finish: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  process.stdout.write(`\n${[tableOf(rows), ...skipped, ...problems].join('\n\n')}\n`);
  process.exit(problems.length > 0 || (skipped.length > 0 && mustLeaveNothingOut()) ? 1 : 0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
  process.exit(1);
}

function chooseRuns(only: string | undefined): typeof RUNS {
  if (only === undefined) return RUNS;
  return only.split(',').map((name) => {
    const run = RUNS.find((each) => each.name === name);
    if (!run) throw new Error(`There is no run ${name}`);
    return run;
  });
}

function readScale(text: string): number {
  const scale = Number(text);
  if (!(scale > 0 && scale <= 10)) throw new Error('--scale must be a number above 0, at most 10');
  return scale;
}
