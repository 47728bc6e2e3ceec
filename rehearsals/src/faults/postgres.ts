import { setTimeout as sleep } from 'node:timers/promises';
import { type RunOptions, scaled } from './run-options.ts';
import { type Outcome, stage } from './scene.ts';

const CRASHES = 6;
const DOWN_MS = 2_000;
const PAUSES = 3;
/** Longer than the service waits for a statement. */
const PAUSE_MS = 12_000;

/** Stops Postgres without a shutdown, and starts it again. The service keeps running. */
export function crashPostgres(options: RunOptions): Promise<Outcome> {
  return stage({ ...options, store: 'postgres' }, async (scene) => {
    const crashes = scaled(CRASHES, options);
    for (let count = 0; count < crashes; count += 1) {
      await scene.serve(1_000, 3_000);
      await scene.postgres.crash();
      await sleep(DOWN_MS);
      await scene.postgres.start();
      await scene.recover(performance.now());
    }
    await scene.serve(1_000);
    return `${crashes} × pg_ctl stop -m immediate, down for ${DOWN_MS / 1000} s`;
  });
}

/** Pauses every process of Postgres: connections stay open, and nothing is answered. */
export function pausePostgres(options: RunOptions): Promise<Outcome> {
  return stage({ ...options, store: 'postgres' }, async (scene) => {
    const pauses = scaled(PAUSES, options);
    for (let count = 0; count < pauses; count += 1) {
      await scene.serve(2_000, 3_000);
      scene.postgres.pause();
      await sleep(PAUSE_MS);
      scene.postgres.resume();
      await scene.recover(performance.now());
    }
    await scene.serve(1_000);
    const longest = (scene.shop.sender.longestMs / 1000).toFixed(1);
    return `${pauses} × SIGSTOP of Postgres for ${PAUSE_MS / 1000} s; the longest request took ${longest} s`;
  });
}
