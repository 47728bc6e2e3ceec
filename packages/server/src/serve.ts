import { createService, type Service } from './app.ts';
import type { Config } from './config.ts';
import { holdDataFolder } from './operator/control-socket.ts';
import { runCommand } from './operator/run-command.ts';

/** Runs the service until it is told to stop; then it finishes what is under way and leaves with 0. */
export async function serve(config: Config): Promise<void> {
  let starting: Promise<Service> | undefined;
  const letGo = config.databaseUrl
    ? async () => {}
    : await holdDataFolder(config.dataDir, async (request) => {
        const { ctx } = await (starting as Promise<Service>);
        return runCommand(ctx, config.baseUrl, request);
      });
  starting = createService(config);
  const service = await starting.catch(async (error) => {
    await letGo();
    throw error;
  });
  try {
    await service.http.listen({ port: config.port, host: config.host });
  } catch (error) {
    await service.close();
    await letGo();
    throw error;
  }
  greet(config, service.ctx.db.kind);

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    service.ctx.log.info({ signal }, 'Stopping: finishing what is under way');
    if (config.drainSeconds > 0) await service.drain(config.drainSeconds);
    await service.close();
    await letGo();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function greet({ baseUrl, dataDir }: Config, store: 'embedded' | 'postgres'): void {
  const where = store === 'embedded' ? `embedded Postgres in ${dataDir}` : 'Postgres';
  process.stderr.write(`
  The service is at ${baseUrl}   (store: ${where})
  API: ${baseUrl}/docs   OpenAPI: ${baseUrl}/openapi.json   Health: ${baseUrl}/readyz

  To try it, in another terminal:  npm run operator -- setup

`);
}
