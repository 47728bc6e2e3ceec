import type { Context } from '../context.ts';
import type { Rest } from '../db/rest.ts';

/** A scheduled task. `run` returns one line about what it did, or null if there was nothing to do. */
export type Job = {
  name: string;
  everySeconds: number;
  /** The job rests at least this many times as long as it works, so that it never takes a larger share of the store's time. */
  rests?: number;
  /** A long job calls `rest` between pieces of its work: it rests in proportion to the work since the last rest. Without `rest`, it runs to the end without a pause. */
  run: (ctx: Context, rest?: Rest) => Promise<string | null>;
};
