import { readMetrics } from './server-metrics.ts';

/** `middleMb` and `endMb` are the most that was held in the second and in the last third: between collections memory rises. */
export type Cache = { startMb: number; middleMb: number; endMb: number; peakMb: number };

const EVERY_MS = 1_000;

/** Asks the service once a second how much memory it holds, until the function it gives is called. */
export function watchMemory(url: string): () => Cache {
  const residentMb: number[] = [];
  const look = async () => {
    const metrics = await readMetrics(url).catch(() => undefined);
    if (metrics) residentMb.push(metrics.residentMb);
  };
  void look();
  const timer = setInterval(look, EVERY_MS);

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
