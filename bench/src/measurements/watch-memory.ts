import { readMetrics } from './server-metrics.ts';

/** `middleMb` and `endMb` are the peaks of the second and the last third, because memory rises between collections. */
export type MemoryUse = { startMb: number; middleMb: number; endMb: number; peakMb: number };

const SAMPLE_MS = 1_000;

/** Samples the memory of the service once a second. The returned function stops it and returns the result. */
export function watchMemory(url: string): () => MemoryUse {
  const residentMb: number[] = [];
  const sample = async () => {
    const metrics = await readMetrics(url).catch(() => undefined);
    if (metrics) residentMb.push(metrics.residentMb);
  };
  void sample();
  const timer = setInterval(sample, SAMPLE_MS);

  return () => {
    clearInterval(timer);
    const third = Math.ceil(residentMb.length / 3);
    return {
      startMb: residentMb[0] ?? 0,
      middleMb: Math.max(0, ...residentMb.slice(third, -third)),
      endMb: Math.max(0, ...residentMb.slice(-third)),
      peakMb: Math.max(0, ...residentMb),
    };
  };
}
