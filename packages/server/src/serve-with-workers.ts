import pino from 'pino';
import type { Config } from './config.ts';
import { createLog } from './create-log.ts';
import { greet } from './greet.ts';
import { supervise } from './workers/supervise.ts';

/** Longer than a worker takes to stop by itself, and shorter than service managers wait. */
const STOP_MS = 25_000;

/** Runs the service in several processes until SIGTERM or SIGINT, each of which stops as a single one does. */
export async function serveWithWorkers(config: Config): Promise<void> {
  const { workers: count, drainSeconds, logLevel: level } = config;
  const exitCode = await supervise({
    count,
    stopMs: drainSeconds * 1000 + STOP_MS,
    log: createLog({ level }, pino.destination({ dest: 1, sync: true })),
    onListening: (isNewInstallation) => greet(config, 'postgres', isNewInstallation),
  });
  process.exit(exitCode);
}
