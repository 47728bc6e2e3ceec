import type { StoreKind } from '@svc/bench/options';
import { type RunOptions, scaled } from './run-options.ts';
import { type Outcome, stage } from './scene.ts';

const KILLS = 20;

/** Kills the service again and again while customers use it. */
export function killService(store: StoreKind, options: RunOptions): Promise<Outcome> {
  return stage({ ...options, store }, async (scene) => {
    const kills = scaled(KILLS, options);
    for (let count = 0; count < kills; count += 1) {
      await scene.serve(500, 2_000);
      const from = performance.now();
      await scene.kill();
      await scene.recover(from);
    }
    await scene.serve(1_000);
    return `${kills} × kill -9`;
  });
}
