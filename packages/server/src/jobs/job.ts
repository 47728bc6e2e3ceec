import type { Context } from '../context.ts';

/** Work that is done by the clock. `run` says in a line what it did, or nothing when there was nothing to do. */
export type Job = { name: string; everySeconds: number; run: (ctx: Context) => Promise<string | null> };
