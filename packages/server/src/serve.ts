import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasUsers } from './accounts/user-store.ts';
import { createService, type Service } from './app.ts';
import type { Config } from './config.ts';
import { holdDataFolder } from './operator/control-socket.ts';
import { runCommand } from './operator/run-command.ts';

const LOG_DELAY_MS = 20;
const LAST_LINE_MS = 200;
/** Well below the 30 seconds after which service managers kill a process. */
const STOP_MS = 20_000;

/** Runs the service until SIGTERM or SIGINT. Requests in progress are finished before it exits with 0. */
export async function serve(config: Config): Promise<void> {
  let starting: Promise<Service> | undefined;
  const release = config.databaseUrl
    ? async () => {}
    : await holdDataFolder(config.dataDir, async (request, report) => {
        const { ctx } = await (starting as Promise<Service>);
        const untimed = { ...ctx, db: ctx.db.untimed };
        return runCommand({ ...untimed, withSecrets: async () => untimed }, config.baseUrl, request, report);
      });
  starting = createService(config);
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
  const stop = async (signal: string) => {
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

  // The log is written asynchronously; the line with the address should be the last one.
  await sleep(LOG_DELAY_MS);
  greet(config, service.ctx.db.kind, await isNew(service, config));
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

function greet({ baseUrl, dataDir }: Config, store: 'embedded' | 'postgres', isFirstStart: boolean): void {
  process.stderr.write(`
  Store   ${store === 'embedded' ? `embedded Postgres in ${dataDir}` : 'Postgres'}
  API     ${baseUrl}/docs  (OpenAPI: ${baseUrl}/openapi.json)
  Health  ${baseUrl}/readyz

${isFirstStart ? `\n  To try the API first, run in another terminal:  npm run operator -- setup\n` : ''}
  Open ${baseUrl}${isFirstStart ? ' and create your account' : ''}
`);
}
