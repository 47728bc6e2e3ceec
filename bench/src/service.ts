import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@svc/testkit';
import { METRICS_TOKEN } from './measurements/server-metrics.ts';
import { type Environment, runProgram, startProgram, stopProgram, untilReady } from './processes.ts';
import type { BenchStore } from './store.ts';

const MAIN = fileURLToPath(import.meta.resolve('@svc/server/main'));
const ONE_TRANSACTION_PER_CLICK = fileURLToPath(new URL('./baselines/one-transaction-per-click.js', import.meta.url));
const ARCHIVING_SERVICE = fileURLToPath(new URL('./baselines/archiving-service.js', import.meta.url));
const BARE_FASTIFY = fileURLToPath(new URL('./baselines/bare-fastify.js', import.meta.url));

/**
 * Rate limits stay on. Clicks and leads are counted by IP address and keep the default limits, since each request has a
 * different address. Sales are counted by key, so one busy program needs a higher limit, as does the one account that reads the reports.
 */
const LIMITS: Environment = {
  SVC_TRUSTED_PROXIES: '127.0.0.1',
  SVC_RATE_LIMITS: 'sale=999999999,manage=999999999',
  // Metrics are closed behind proxies.
  SVC_METRICS_TOKEN: METRICS_TOKEN,
};

export type Setup = { program_id: number; workspace_id: number; api_key: string; short_link: string };

export type Running = { port: number; url: string; stop(): Promise<void> };

/** Creates a program with a key, a partner and a link through the operator command. */
export async function setUp(store: BenchStore): Promise<Setup> {
  return JSON.parse(await runProgram([MAIN, 'setup', '--json'], store.env)) as Setup;
}

export function startService(store: BenchStore, profileDir?: string, workers = 1): Promise<Running> {
  const profile = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : [];
  return start([...profile, MAIN, 'serve'], { ...store.env, ...LIMITS, SVC_WORKERS: String(workers) });
}

/** Starts a service that can be ended like by a power cut. */
export async function startKillableService(store: BenchStore): Promise<Running & { kill(): Promise<void> }> {
  const { child, ...running } = await startChild([MAIN, 'serve'], { ...store.env, ...LIMITS });
  const kill = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return { ...running, kill };
}

/** Starts a service that archives months of clicks to the folder once it is told to, and hurries when it is told again. */
export async function startArchivingService(store: BenchStore, folder: string): Promise<Running & { archive(): void }> {
  const retention = { SVC_CLICK_RETENTION_MONTHS: '12', SVC_CLICK_RETENTION: 'archive', SVC_ARCHIVE: folder };
  const { child, ...running } = await startChild([ARCHIVING_SERVICE], { ...store.env, ...LIMITS, ...retention });
  return { ...running, archive: () => void child.kill('SIGUSR2') };
}

export function startOneTransactionPerClick(store: BenchStore): Promise<Running> {
  return start([ONE_TRANSACTION_PER_CLICK], { ...store.env, ...LIMITS });
}

export function startBareFastify(): Promise<Running> {
  return start([BARE_FASTIFY], {});
}

async function start(args: string[], env: Environment): Promise<Running> {
  const { child: _, ...running } = await startChild(args, env);
  return running;
}

async function startChild(args: string[], env: Environment): Promise<Running & { child: ChildProcess }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child: ChildProcess = startProgram(args, { ...env, PORT: String(port) });
  await untilReady(`${url}/readyz`, child);
  return { port, url, child, stop: () => stopProgram(child) };
}
