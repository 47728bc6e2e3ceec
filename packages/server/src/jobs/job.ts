import type { Context } from '../context.ts';

/** A scheduled task. `run` returns one line about what it did, or null if there was nothing to do. */
export type Job = {
  name: string;
  everySeconds: number;
  /** The job rests at least this many times as long as it works, so that it never takes a larger share of the store's time. */
  rests?: number;
  /** A long job calls `rest` between pieces of its work. Without `rest`, it runs to the end without a pause. */
  run: (ctx: Context, rest?: Rest) => Promise<string | null>;
};

/** Rests in proportion to the work since the last rest. Rejects with `JobStopped` if the service stops. */
export type Rest = () => Promise<void>;
export const withoutRest: Rest = async () => undefined;

/** Thrown when the service stops in the middle of a job. The job starts over after the next start. */
export class JobStopped extends Error {}
