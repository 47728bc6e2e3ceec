import cluster, { type Worker } from 'node:cluster';
import type { Duplex } from 'node:stream';
import type { Log } from '../context.ts';
import { createDesk } from './desk.ts';
import { type FromWorker, LINE_FD, openLine, type ToWorker } from './line.ts';
import { countEarlyEnds, restartDelay } from './restart-delay.ts';

type Options = {
  /** How many workers there are. */
  count: number;
  /** How long workers may take to stop before they are killed. */
  stopMs: number;
  log: Log;
  /** Called once, when all workers accept connections. */
  onListening: (isNewInstallation: boolean) => void;
};

/**
 * Runs the service in several processes on one port, until SIGTERM or SIGINT, and starts those that end again. Resolves with the
 * exit code once all have ended. If the first one cannot start, none is.
 */
export async function supervise({ count, stopMs, log, onListening }: Options): Promise<number> {
  // Workers accept connections themselves. If they were handed out here, one on its way to a worker that is killed, or that stops,
  // would be lost.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'] });
  const desk = createDesk();
  const workers = new Set<Worker>();
  const restarts = new Set<NodeJS.Timeout>();
  const listening = new Set<number>();
  let isStopping = false;
  let exitCode = 0;

  return new Promise((resolve) => {
    function start(place: number, earlyEnds = 0): void {
      const startedAt = performance.now();
      const worker = cluster.fork();
      workers.add(worker);
      const stream = worker.process.stdio[LINE_FD] as Duplex;
      const line = openLine<ToWorker, FromWorker>(stream, (message) => {
        if (message.is !== 'listening') return desk.answer(line, message);
        desk.noteListening(line);
        noteListening(place, message.isNewInstallation);
      });
      desk.add(line);
      worker.once('exit', (code, signal) => {
        workers.delete(worker);
        desk.remove(line);
        if (isStopping || listening.size === 0) return end(code === 0 ? 0 : 1);
        const ends = code === 0 ? 0 : countEarlyEnds(earlyEnds, performance.now() - startedAt);
        restart(place, ends, { worker: place, pid: worker.process.pid, code, signal });
      });
    }

    function noteListening(place: number, isNewInstallation: boolean): void {
      const isFirst = listening.size === 0;
      const wereAll = listening.size === count;
      listening.add(place);
      // The first one has migrated the schema and has shown that the service can start.
      if (isFirst) for (let other = 2; other <= count; other += 1) start(other);
      if (listening.size === count && !wereAll) onListening(isNewInstallation);
    }

    function restart(place: number, earlyEnds: number, facts: object): void {
      desk.noteRestart();
      const delayMs = restartDelay(earlyEnds);
      if (delayMs === 0) log.warn(facts, 'A worker has ended and is started again');
      else log.error({ ...facts, inSeconds: delayMs / 1000 }, 'A worker keeps ending and is started again later');
      const timer = setTimeout(() => {
        restarts.delete(timer);
        start(place, earlyEnds);
      }, delayMs);
      restarts.add(timer);
    }

    /** Notes how a worker ended; the last one ends the service. */
    function end(code: number): void {
      exitCode = Math.max(exitCode, code);
      if (workers.size === 0) resolve(exitCode);
    }

    function stop(signal: NodeJS.Signals): void {
      if (isStopping) return;
      isStopping = true;
      log.info({ signal, workers: workers.size }, 'Stopping the workers');
      for (const timer of restarts) clearTimeout(timer);
      // This closes the listening sockets here, before the workers close theirs: the last one still accepts what is waiting.
      for (const worker of workers) if (worker.isConnected()) worker.process.disconnect();
      setTimeout(() => {
        for (const worker of workers) worker.process.kill('SIGKILL');
      }, stopMs).unref();
      if (workers.size === 0) resolve(exitCode);
    }

    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    start(1);
  });
}
