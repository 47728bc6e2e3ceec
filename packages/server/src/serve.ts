import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasUsers } from './accounts/user-store.ts';
import { createService, type Service } from './app.ts';
import type { Config } from './config.ts';
import { greet } from './greet.ts';
import { holdDataFolder } from './operator/control-socket.ts';
import { runCommand } from './operator/run-command.ts';
import type { Supervisor } from './workers/join-supervisor.ts';

const LOG_DELAY_MS = 20;
const LAST_LINE_MS = 200;
/** Well below the 30 seconds after which service managers kill a process. */
const STOP_MS = 20_000;

/**
 * Runs the service until SIGTERM or SIGINT, and a worker until its supervisor leaves. Requests in progress are finished before it
 * exits with 0.
 */
export async function serve(config: Config, supervisor?: Supervisor): Promise<void> {
  let starting: Promise<Service> | undefined;
  const release = config.databaseUrl
    ? async () => {}
    : await holdDataFolder(config.dataDir, async (request, report) => {
        const { ctx } = await (starting as Promise<Service>);
        const untimed = { ...ctx, db: ctx.db.untimed };
        return runCommand({ ...untimed, withSecrets: async () => untimed }, config.baseUrl, request, report);
      });
  starting = createService(config, { supervisor });
  const service = await starting.catch(async (error) => {
    await release();
    throw error;
  });
  try {
    await service.http.listen({ port: config.port, host: config.host });
    if (config.metrics.port !== undefined) await listen(service.metricsListener, config.metrics.port, config.host);
  } catch (error) {
    await service.close();
    await release();
    throw error;
  }
  void service.keepDownloads();
  let isStopping = false;
  const stop = async (signal?: string) => {
    if (isStopping) return;
    isStopping = true;
    service.ctx.log.info({ signal }, 'Stopping after the requests in progress');
    if (config.drainSeconds > 0) await service.drain(config.drainSeconds);
    await orEndProcess(service, async () => {
      await service.close();
      await release();
    });
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  void supervisor?.hasLeft.then(() => stop());

  // The log is written asynchronously; the line with the address should be the last one.
  await sleep(LOG_DELAY_MS);
  const isNewInstallation = await isNew(service, config);
  if (supervisor) supervisor.sayListening(isNewInstallation);
  else greet(config, service.ctx.db.kind, isNewInstallation);
}

/**
 * Ends the process if the work fails or takes too long, whatever it waits for. `process.exit` would wait for the thread of the
 * embedded store, which may be stuck in the operating system, so the process kills itself. What was committed is kept.
 */
async function orEndProcess({ ctx: { log } }: Service, work: () => Promise<void>): Promise<void> {
  const limit = sleep(STOP_MS).then(() => {
    throw new Error(`not done after ${STOP_MS / 1000} seconds`);
  });
  try {
    await Promise.race([work(), limit]);
  } catch (error) {
    log.error({ cause: (error as Error).message }, 'The service could not stop by itself, so its process is killed');
    await sleep(LAST_LINE_MS);
    process.kill(process.pid, 'SIGKILL');
  }
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** Whether nobody has an account yet and the first visitor can create one. */
async function isNew({ ctx }: Service, { signup }: Config): Promise<boolean> {
  return signup === 'open' && (await hasUsers(ctx.db).catch(() => true)) === false;
}
