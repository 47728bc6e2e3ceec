import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreKind } from '@svc/bench/options';
import type { RunOptions } from './run-options.ts';
import { type Outcome, stage } from './scene.ts';

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
    const outcome = await stage({ ...options, store, env }, async (scene) => {
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
    return { ...outcome, problems: [...outcome.problems, ...wereShifted(outcome.scene.shop.clicks)] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Click ids end with the time of the click: a run in which no clock was wrong would prove nothing. */
function wereShifted(clicks: string[]): string[] {
  const now = Date.now();
  const shifts = clicks.map((id) => Math.round((Number(id.split('_').at(-1)) - now) / HOUR_MS));
  return [-1, 1].filter((shift) => !shifts.includes(shift)).map((shift) => `No click was shifted by ${shift} h`);
}
