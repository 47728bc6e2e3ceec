import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

import pino, { type DestinationStream, type Logger } from 'pino';
import { createSignIn, kyselyOver } from './accounts/sign-in.ts';
import { createIdTokenVerifier } from './accounts/verify-id-token.ts';

import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { createTracking } from './create-tracking.ts';
import { dialectOver } from './db/kysely-dialect.ts';
import { openStore } from './db/open-store.ts';
import { createMemoryWindows } from './http/rate-limit/memory-windows.ts';
import { openRedisWindows } from './http/rate-limit/redis-windows.ts';
import { createHttpServer } from './http/server.ts';
import type { ServiceContext } from './http/service-context.ts';
import { retireClicks } from './jobs/retire-clicks.ts';
import { startJobs } from './jobs/run-jobs.ts';
import { createMetrics } from './metrics.ts';
import { isInvited } from './partners/describe-invitation.ts';
import { openLookupCache } from './partners/lookup-cache.ts';
import { createEncryption } from './payments/encryption.ts';
import { oldestDueEventSeconds, openEventWorker } from './payments/event-worker.ts';
import { deriveSecret, loadSecret } from './secret.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export type Service = {
  http: FastifyInstance;
  ctx: ServiceContext;
  /** Takes no new connections, and serves those that are open until they end, or for so many seconds. */
  drain(seconds: number): Promise<void>;
  /** Stops taking requests, finishes those under way, then lets go of the store. */
  close(): Promise<void>;
};

export type ServiceOptions = {
  now?: () => Date;
  logTo?: DestinationStream;
  maxWaiting?: number;
  /** Off for tests that run jobs by hand. */
  runJobs?: boolean;
};

/** Puts the service together: store, memory, groups, jobs and routes. It does not listen yet. */
export async function createService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const now = options.now ?? (() => new Date());
  const logger = pino(
    { level: config.logLevel, redact: ['req.headers.authorization', '*.authorization', '*.token', '*.email'] },
    options.logTo ?? pino.destination(1),
  );
  const secret = await loadSecret(config);
  const db = await openStore(config, logger);
  try {
    return await assemble(config, options, { db, now, log: logger }, logger, secret);
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function assemble(
  config: Config,
  options: ServiceOptions,
  ctx: Context,
  logger: Logger,
  secret: string,
): Promise<Service> {
  const metrics = createMetrics(() => oldestDueEventSeconds(ctx));
  const tracking = createTracking(ctx, await openLookupCache(ctx), {
    emailSecret: deriveSecret(secret, 'e-mail hash'),
    maxWaiting: options.maxWaiting,
    onGroup: (what, size, seconds) => {
      metrics.groupSize.labels(what).observe(size);
      metrics.groupSeconds.labels(what).observe(seconds);
      metrics.waiting.labels(what).set(tracking[what].waiting());
    },
  });
  const signInOptions = {
    baseUrl: config.baseUrl,
    secret: deriveSecret(secret, 'sign-in'),
    signup: config.signup,
    isInvited: (token: string) => isInvited(ctx, token),
  };
  const signIn = createSignIn(ctx, signInOptions, kyselyOver(dialectOver(ctx.db)));
  const payments = {
    ...tracking,
    encryption: createEncryption(deriveSecret(secret, 'secrets at rest')),
    onEventProcessed: (outcome: string) => metrics.processorEvents.labels(outcome).inc(),
  };
  const eventWorker = openEventWorker(payments);
  const service: ServiceContext = {
    ...payments,
    eventWorker,
    signIn,
    verifyIdToken: createIdTokenVerifier({
      baseUrl: config.baseUrl,
      ownKeys: () => signIn.api.getJwks(),
      outside: config.oidc,
    }),
    signup: config.signup,
    baseUrl: config.baseUrl,
  };
  const windows = config.redisUrl ? await openRedisWindows(config.redisUrl, logger) : createMemoryWindows();
  const { app: http, stopping } = await createHttpServer({
    ...config,
    ctx: service,
    windows,
    metrics,
    logger,
    version,
  });
  const stopJobs =
    options.runJobs === false
      ? async () => {}
      : await startJobs(
          ctx,
          (job, result) => metrics.jobRuns.labels(job, result).inc(),
          config.clickRetention ? [retireClicks(config.clickRetention)] : [],
        );
  // What was left undone at the last stop.
  if (options.runJobs !== false) eventWorker.wake();

  return {
    http,
    ctx: service,
    drain: stopping.drain,
    async close() {
      await http.close();
      await eventWorker.close();
      await stopJobs();
      await windows.close();
      await ctx.db.close();
    },
  };
}
