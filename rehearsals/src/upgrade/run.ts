// Rehearses an upgrade under load: nodes of an earlier release and of this one side by side, through every migration.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { wholeNumber } from '@svc/testkit';
import { rehearse } from './rehearse.ts';
import { buildRelease, findCommit, findReleaseBefore, requireClone, workingTree } from './releases.ts';

const USAGE = `npm run test:upgrade -- [options]
  --from <release> the earlier release: a version, a tag or a commit (the commit before the newest migration was added)
  --to <release>   the later release (the working tree)
  --seconds <n>    length of each of the three phases: before, side by side, after (15)
  --workers <n>    customers at a time (16)
  --seed <n>       repeats the choices of a run`;

// An interrupted run ends its nodes and its Postgres as well.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

try {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      seconds: { type: 'string', default: '15' },
      workers: { type: 'string', default: '16' },
      seed: { type: 'string', default: String(randomInt(1, 2 ** 31)) },
    },
  });
  requireClone();
  const before = buildRelease(values.from === undefined ? findReleaseBefore() : findCommit(values.from));
  const after = values.to === undefined ? workingTree() : buildRelease(findCommit(values.to));
  const seed = wholeNumber('--seed', values.seed, 2 ** 31);
  process.stdout.write(`Seed ${seed}. From ${before.name} to ${after.name}.\n`);
  const { table, problems } = await rehearse(before, after, {
    seconds: wholeNumber('--seconds', values.seconds, 3_600),
    workers: wholeNumber('--workers', values.workers, 500),
    seed,
  });
  process.stdout.write(`\n${table}\n`);
  for (const problem of problems) process.stdout.write(`\n${problem}\n`);
  process.exit(problems.length > 0 ? 1 : 0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
  process.exit(1);
}
