import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, openConnection } from './connection.ts';
import type { LoadPlan, LoadResult } from './plan.ts';
import { requestsOf } from './requests.ts';

const TAIL_MS = 15_000;

/** A redirect says that its click is stored by its id. */
const isAcknowledged = (status: number, response: string) =>
  status === 200 || (status === 302 && response.includes('svc_click_id='));

/** Sends requests over all connections, one at a time on each, and measures the responses after the warm-up. */
export async function generateLoad(plan: LoadPlan, onMeasuring: () => void): Promise<LoadResult> {
  const requestOf = requestsOf(plan);
  const refused: Record<string, number> = {};
  const latenciesMs: number[] = [];
  let sent = 0;
  let acknowledged = 0;
  let broken = 0;
  let inFlight = 0;
  let beganAt = 0;
  let state: 'warm-up' | 'measuring' | 'ending' = 'warm-up';
  let onAllSent = () => {};
  const allSent = new Promise<void>((resolve) => {
    onAllSent = resolve;
  });

  async function openLane(lane: number): Promise<{ start(): void; close(): void }> {
    let startedAt = 0;
    let isWaiting = false;
    const connection: Connection = await openConnection(plan.ports[lane % plan.ports.length] ?? 0, {
      onResponse(status, response) {
        isWaiting = false;
        inFlight -= 1;
        if (isAcknowledged(status, response)) acknowledged += 1;
        else refused[status] = (refused[status] ?? 0) + 1;
        if (state === 'measuring') latenciesMs.push(performance.now() - startedAt);
        next();
      },
      onBroken() {
        if (!isWaiting) return;
        inFlight -= 1;
        broken += 1;
      },
    });
    function next() {
      if (state === 'ending') return;
      if (sent >= plan.maxRequests) return onAllSent();
      const index = sent;
      sent += 1;
      const waitMs = plan.perSecond ? beganAt + (index * 1000) / plan.perSecond - performance.now() : 0;
      if (waitMs > 0) setTimeout(send, waitMs, index);
      else send(index);
    }
    function send(index: number) {
      if (state === 'ending') return;
      startedAt = performance.now();
      connection.send(requestOf(index));
      isWaiting = true;
      inFlight += 1;
    }
    return { start: next, close: connection.close };
  }

  const lanes = await Promise.all(Array.from({ length: plan.connections }, (_, lane) => openLane(lane)));
  beganAt = performance.now();
  for (const lane of lanes) lane.start();
  await Promise.race([sleep(plan.warmupSeconds * 1000), allSent]);

  onMeasuring();
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  state = 'measuring';
  await Promise.race([sleep(plan.seconds * 1000), allSent]);
  state = 'ending';
  const elapsedMs = performance.now() - startedAt;
  const cpu = process.cpuUsage(cpuBefore);

  const deadline = performance.now() + TAIL_MS;
  while (inFlight > 0 && performance.now() < deadline) await sleep(10);
  for (const lane of lanes) lane.close();
  const sorted = Float64Array.from(latenciesMs).sort();
  return {
    acknowledged,
    refused,
    unanswered: broken + inFlight,
    measured: sorted.length,
    perSecond: (sorted.length / elapsedMs) * 1000,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? 0,
    generatorCpu: (cpu.user + cpu.system) / 1000 / elapsedMs,
  };
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
