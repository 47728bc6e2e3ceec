import { readMetrics } from './server-metrics.ts';

export type Memory = { startMb: number; middleMb: number; endMb: number; peakMb: number };

const EVERY_MS = 1_000;

/** Asks the service once a second how much memory it holds, until the function it gives is called. */
export function watchMemory(url: string): () => Memory {
  const residentMb: number[] = [];
  const look = async () => {
    const metrics = await readMetrics(url).catch(() => undefined);
    if (metrics) residentMb.push(metrics.residentMb);
  };
  void look();
  const timer = setInterval(look, EVERY_MS);

  return () => {
    clearInterval(timer);
    return {
      startMb: residentMb[0] ?? 0,
      middleMb: residentMb[Math.floor(residentMb.length / 2)] ?? 0,
      endMb: residentMb.at(-1) ?? 0,
      peakMb: Math.max(...residentMb),
    };
  };
}
