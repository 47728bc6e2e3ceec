import { Counter, Gauge, Registry } from 'prom-client';
import { within } from '../db/within.ts';
import { createMemoryWindows } from '../http/rate-limit/memory-windows.ts';
import type { FromWorker, Line, ToWorker } from './line.ts';
import { type MetricsOfProcess, sumMetrics, sumOfEnded } from './sum-metrics.ts';

/** Less than the ten seconds that Prometheus waits. A worker asks the database for some of its metrics. */
const COLLECT_MS = 8_000;

type WorkerLine = Line<ToWorker>;

/** What the supervisor does for its workers: it counts their requests in windows, and adds up their metrics. */
export function createDesk() {
  const windows = createMemoryWindows();
  const own = createOwnMetrics();
  const latest = new Map<WorkerLine, MetricsOfProcess>();
  const listening = new Set<WorkerLine>();
  const collecting = new Map<WorkerLine, () => void>();
  let ended: Promise<MetricsOfProcess> = Promise.resolve([]);
  let scraping: Promise<string> | undefined;

  function count(keys: string[]): number[] {
    const now = new Date();
    return keys.flatMap((key) => {
      const { count, resetsAt } = windows.hit(key, now);
      return [count, resetsAt.getTime()];
    });
  }

  /** Asks every worker. One that does not answer counts with what it said last. */
  async function collectAll(): Promise<string> {
    const answers = [...latest.keys()].map(
      (line) =>
        new Promise<void>((resolve) => {
          collecting.set(line, resolve);
          line.send({ is: 'collect' });
        }),
    );
    await within(COLLECT_MS, Promise.all(answers));
    own.workers.set(listening.size);
    const ofSupervisor = (await own.registry.getMetricsAsJSON()) as MetricsOfProcess;
    return sumMetrics([...latest.values(), await ended, ofSupervisor]);
  }

  return {
    add: (line: WorkerLine) => void latest.set(line, []),
    /** What the worker has counted stays in the sums, as far as it is known. */
    remove(line: WorkerLine) {
      const last = latest.get(line) ?? [];
      ended = ended.then((before) => sumOfEnded([before, last]));
      latest.delete(line);
      listening.delete(line);
      collecting.get(line)?.();
    },
    noteListening: (line: WorkerLine) => void listening.add(line),
    noteRestart: () => own.restarts.inc(),
    answer(line: WorkerLine, message: Exclude<FromWorker, { is: 'listening' }>) {
      if (message.is === 'hits') return line.send({ is: 'counted', windows: count(message.keys) });
      if (message.is === 'collected') {
        if (latest.has(line)) latest.set(line, message.metrics);
        return collecting.get(line)?.();
      }
      scraping ??= collectAll().finally(() => {
        scraping = undefined;
      });
      return void scraping.then((text) => line.send({ is: 'scraped', text }));
    },
  };
}

function createOwnMetrics() {
  const registry = new Registry();
  const registers = [registry];
  let counted = 0;
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      const total = (user + system) / 1e6;
      this.inc(total - counted);
      counted = total;
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory size in bytes.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  return {
    registry,
    workers: new Gauge({ name: 'svc_workers', help: 'Worker processes that accept connections.', registers }),
    restarts: new Counter({
      name: 'svc_worker_restarts_total',
      help: 'Worker processes that ended and were started again.',
      registers,
    }),
  };
}
