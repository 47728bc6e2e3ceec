import { setTimeout as sleep } from 'node:timers/promises';
import { createRedis, findRedis } from '@svc/testkit';
import type { RunOptions } from './run-options.ts';
import { type Outcome, stage } from './scene.ts';

const AWAY_MS = 6_000;

/** Why Redis cannot be tested here, if it cannot. */
export function missingRedis(): string | null {
  return findRedis() === undefined ? 'neither redis-server nor valkey-server is on the PATH' : null;
}

/** Takes Redis away from two nodes and then lets it hang. Not a single request may fail. */
export async function loseRedis(options: RunOptions): Promise<Outcome> {
  const redis = await createRedis();
  await redis.start();
  try {
    const outcome = await stage(
      { ...options, store: 'postgres', nodes: 2, env: { REDIS_URL: redis.url } },
      async (scene) => {
        await scene.serve(2_000);
        let from = performance.now();
        await redis.kill();
        await scene.recover(from);
        await sleep(AWAY_MS);
        await redis.start();
        await scene.serve(3_000);
        from = performance.now();
        redis.freeze();
        await scene.recover(from);
        await sleep(AWAY_MS);
        redis.resume();
        await scene.serve(3_000);
        return `two nodes; Redis killed for ${AWAY_MS / 1000} s, then hung for ${AWAY_MS / 1000} s`;
      },
    );
    const { failures } = outcome.scene.shop.sender;
    return { ...outcome, problems: [...outcome.problems, ...failures] };
  } finally {
    redis.resume();
    await redis.kill();
  }
}
