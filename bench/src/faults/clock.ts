import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreKind } from '../options.ts';
import type { Outcome } from './outcome.ts';
import type { RunOptions } from './run-options.ts';
import { stage } from './scene.ts';

const HOUR_MS = 3_600_000;
/** An hour back from each side, an hour ahead from each side. */
const STEPS = [-HOUR_MS, 0, HOUR_MS, 0];
const PRELOAD = new URL('./shift-clock.js', import.meta.url).href;

/** Sets the clock of the running service back and ahead, and starts the service with a clock that is wrong. */
export async function shiftClock(store: StoreKind, options: RunOptions): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-clock-'));
  const file = join(folder, 'shift');
  const env = { NODE_OPTIONS: `--import ${PRELOAD}`, SHIFTED_CLOCK_FILE: file };
  await writeFile(file, '0');
  try {
    return await stage({ ...options, store, env }, async (scene) => {
      for (const [index, shift] of STEPS.entries()) {
        await scene.serve(2_000, 3_000);
        await writeFile(file, String(shift));
        await scene.recover(performance.now());
        await scene.serve(2_000);
        if (index % 2 === 1) continue;
        const from = performance.now();
        await scene.kill();
        await scene.recover(from);
      }
      await scene.serve(2_000);
      return 'clock 1 h back, right, 1 h ahead, right; 2 × kill -9 while it was wrong';
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
