import type { Context } from '../context.ts';

/** A scheduled task. `run` returns one line about what it did, or null if there was nothing to do. */
export type Job = { name: string; everySeconds: number; run: (ctx: Context) => Promise<string | null> };
