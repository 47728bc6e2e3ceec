export type RunOptions = {
  seed: number;
  /** Multiplies the number of faults and events. */
  scale: number;
};

/** A number of faults or events at the scale of the run, at least one. */
export function scaled(count: number, { scale }: RunOptions): number {
  return Math.max(Math.round(count * scale), 1);
}
