import pino, { type Logger } from 'pino';
import type { Service, ServiceOptions } from './assemble-service.ts';
import type { Config } from './config.ts';
import { createLog } from './create-log.ts';
import { isKnownTrouble } from './db/db.ts';
import { openReportReader, openStore } from './db/engines/open-store.ts';
import { loadSecret } from './secret.ts';

export type { Service, ServiceOptions };

/** Builds the service on an open store. It does not listen yet. */
export async function createService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  let store = options.db;
  const logger = createLogger(config, options, (error) => store !== undefined && isKnownTrouble(store, error));
  const secret = await loadSecret(config);
  // The store opens while the rest of the code is loaded: each is about half of the time to start.
  const [db, { assembleService }] = await Promise.all([
    options.db ?? openStore(config, logger),
    import('./assemble-service.ts'),
  ]);
  store = db;
  const reports = await openReportReader(db, config, logger);
  try {
    const ctx = { db, now: options.now ?? (() => new Date()), log: logger };
    return await assembleService({ config, options, ctx, reports, logger, secret });
  } catch (error) {
    await reports.close();
    await db.close();
    throw error;
  }
}

/** Errors for which there is a line already are left out, or a full disk would get a line for every request. */
function createLogger(config: Config, { logTo }: ServiceOptions, isKnown: (error: unknown) => boolean): Logger {
  return createLog(
    {
      level: config.logLevel,
      redact: ['req.headers.authorization', '*.authorization', '*.token', '*.email'],
      hooks: {
        logMethod(line, log) {
          if (!isKnown(Object(line[0]).err)) log.apply(this, line);
        },
      },
    },
    logTo ?? pino.destination(1),
  );
}
