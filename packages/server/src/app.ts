import pino from 'pino';
import type { Service, ServiceOptions } from './assemble-service.ts';
import type { Config } from './config.ts';
import { openStore } from './db/open-store.ts';
import { loadSecret } from './secret.ts';

export type { Service, ServiceOptions };

/** Builds the service on an open store. It does not listen yet. */
export async function createService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const logger = pino(
    { level: config.logLevel, redact: ['req.headers.authorization', '*.authorization', '*.token', '*.email'] },
    options.logTo ?? pino.destination(1),
  );
  const secret = await loadSecret(config);
  // The store opens while the rest of the code is loaded: each is about half of the time to start.
  const [db, { assembleService }] = await Promise.all([
    options.db ?? openStore(config, logger),
    import('./assemble-service.ts'),
  ]);
  try {
    const ctx = { db, now: options.now ?? (() => new Date()), log: logger };
    return await assembleService({ config, options, ctx, logger, secret });
  } catch (error) {
    await db.close();
    throw error;
  }
}
