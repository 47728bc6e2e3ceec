import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createService, type Service } from './app.ts';
import type { Config } from './config.ts';
import { holdDataFolder } from './operator/control-socket.ts';
import { runCommand } from './operator/run-command.ts';

const LOG_DELAY_MS = 20;

/** Runs the service until SIGTERM or SIGINT. Requests in progress are finished before it exits with 0. */
export async function serve(config: Config): Promise<void> {
  let starting: Promise<Service> | undefined;
  const release = config.databaseUrl
    ? async () => {}
    : await holdDataFolder(config.dataDir, async (request) => {
        const { ctx } = await (starting as Promise<Service>);
        return runCommand(ctx, config.baseUrl, request);
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
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    service.ctx.log.info({ signal }, 'Stopping after the requests in progress');
    if (config.drainSeconds > 0) await service.drain(config.drainSeconds);
    await service.close();
    await release();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  // The log is written asynchronously; the line with the address should be the last one.
  await sleep(LOG_DELAY_MS);
  greet(config, service.ctx.db.kind);
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

function greet({ baseUrl, dataDir }: Config, store: 'embedded' | 'postgres'): void {
  process.stderr.write(`
  Store   ${store === 'embedded' ? `embedded Postgres in ${dataDir}` : 'Postgres'}
  API     ${baseUrl}/docs  (OpenAPI: ${baseUrl}/openapi.json)
  Health  ${baseUrl}/readyz

  To try it, run in another terminal:  npm run operator -- setup

  Open ${baseUrl}
`);
}
