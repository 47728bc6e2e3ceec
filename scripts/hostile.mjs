// Sends generated requests to every route on both stores. `--seed <n>` repeats a run, `--requests <n>` sets its length.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { seed: { type: 'string' }, requests: { type: 'string' } } });
const seed = values.seed ?? String(randomInt(1, 2 ** 31));
const requests = values.requests ?? '3000';
process.stdout.write(
  `Seed ${seed}: repeat this run with npm run test:hostile -- --seed ${seed} --requests ${requests}\n`,
);
const vitest = ['vitest', 'run', '--mode', 'all', 'packages/server/src/http/hostile.api.test.ts'];
const { status } = spawnSync('npx', vitest, {
  stdio: 'inherit',
  env: { ...process.env, SVC_HOSTILE_SEED: seed, SVC_HOSTILE_REQUESTS: requests },
});
process.exitCode = status ?? 1;
