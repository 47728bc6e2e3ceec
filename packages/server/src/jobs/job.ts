import type { Context } from '../context.ts';

/** A scheduled task. `run` returns one line about what it did, or null if there was nothing to do. */
export type Job = {
  name: string;
  everySeconds: number;
  /** After a run, the job rests at least this many times as long as the run took, so that it never takes a larger share. */
  rests?: number;
  run: (ctx: Context) => Promise<string | null>;
};
