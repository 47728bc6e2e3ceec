import cluster from 'node:cluster';
import { Socket } from 'node:net';
import type { Registry } from 'prom-client';
import type { Log } from '../context.ts';
import type { RateWindows } from '../http/rate-limit/windows.ts';
import { type FromWorker, LINE_FD, openLine, type ToWorker } from './line.ts';
import type { MetricsOfProcess } from './sum-metrics.ts';
import { createSupervisedWindows } from './supervised-windows.ts';

/** What a worker has of its supervisor. */
export type Supervisor = {
  /** Resolves when the worker has to stop: its supervisor stops, or is gone. */
  hasLeft: Promise<void>;
  sayListening(isNewInstallation: boolean): void;
  openWindows(log: Log): RateWindows;
  /** Gives out what this worker has measured, and returns how to read the metrics of all. */
  shareMetrics(registry: Registry): () => Promise<string>;
};

/** Connects a worker with the supervisor that started it. */
export function joinSupervisor(): Supervisor {
  const worker = cluster.worker;
  if (!worker) throw new Error('This process has no supervisor');
  // Otherwise Node would end the process at once, with the requests in progress.
  worker.exitedAfterDisconnect = true;
  const counts = createAnswers<number[]>();
  const scrapes = createAnswers<string>();
  let collect = async () => [] as MetricsOfProcess;

  const stream = new Socket({ fd: LINE_FD });
  const line = openLine<FromWorker, ToWorker>(stream, (message) => {
    if (message.is === 'counted') counts.give(message.windows);
    else if (message.is === 'scraped') scrapes.give(message.text);
    else void collect().then((metrics) => line.send({ is: 'collected', metrics }));
  });
  // A worker that could not start ends by itself.
  stream.unref();
  process.channel?.unref();
  stream.on('close', () => {
    counts.end();
    scrapes.end();
  });

  return {
    hasLeft: new Promise((resolve) => {
      worker.once('disconnect', () => resolve());
      if (!worker.isConnected()) resolve();
    }),
    sayListening: (isNewInstallation) => line.send({ is: 'listening', isNewInstallation }),
    openWindows: (log) =>
      createSupervisedWindows((keys) => {
        line.send({ is: 'hits', keys });
        return counts.next();
      }, log),
    shareMetrics(registry) {
      collect = () => registry.getMetricsAsJSON() as Promise<MetricsOfProcess>;
      return async () => {
        line.send({ is: 'scrape' });
        return (await scrapes.next()) ?? registry.metrics();
      };
    },
  };
}

/** Answers that come in the order of their questions. After the end there are none. */
function createAnswers<Answer>() {
  const waiting: ((answer: Answer | undefined) => void)[] = [];
  let hasEnded = false;
  return {
    next: () =>
      new Promise<Answer | undefined>((resolve) => {
        if (hasEnded) resolve(undefined);
        else waiting.push(resolve);
      }),
    give: (answer: Answer) => waiting.shift()?.(answer),
    end() {
      hasEnded = true;
      for (const resolve of waiting.splice(0)) resolve(undefined);
    },
  };
}
