import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream, Logger } from 'pino';
import { createResetLinkFor } from './accounts/recovery/create-reset-link.ts';
import { createSignIn, kyselyOver } from './accounts/sign-in.ts';
import { createIdTokenVerifier } from './accounts/verify-id-token.ts';
import { openArchive } from './archive/open-archive.ts';
import { openBulkWorker } from './bulk-actions/work-on-slices.ts';
import { type CountryLookup, openCountryLookup } from './clicks/open-country-lookup.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { createTracking } from './create-tracking.ts';
import type { Db } from './db/db.ts';
import { findTrouble } from './db/engines/find-trouble.ts';
import { joinTransactions } from './db/joined-transaction.ts';
import { dialectOver } from './db/kysely-dialect.ts';
import { notingFailures } from './db/noted-failures.ts';
import type { ReportReader } from './db/report-reader.ts';
import { createTxtLookup } from './domains/look-up-txt.ts';
import type { Encryption } from './encryption.ts';
import { openFeedReaders } from './feed/feed-readers.ts';
import { openNumberingWorker } from './feed/numbering-worker.ts';
import { createMetricsListener } from './http/metrics.ts';
import { createMemoryWindows } from './http/rate-limit/memory-windows.ts';
import type { RateWindows } from './http/rate-limit/windows.ts';
import { createHttpServer } from './http/server.ts';
import type { ServiceContext } from './http/service-context.ts';
import { keptBytesPerDay } from './idempotency/kept-bytes.ts';
import { checkForUpdate } from './jobs/check-for-update.ts';
import { eraseArchived } from './jobs/erase-archived-clicks.ts';
import { purgeAuditLog } from './jobs/purge-audit-log.ts';
import { purgeDecisions } from './jobs/purge-decisions.ts';
import { purgeEventContents } from './jobs/purge-event-contents.ts';
import { purgeFeed } from './jobs/purge-feed.ts';
import { retireClicks } from './jobs/retire-clicks.ts';
import { jobs, startJobs } from './jobs/run-jobs.ts';
import { sealPayoutTexts } from './jobs/seal-payout-texts.ts';
import { measureQueue } from './mail/mail-worker.ts';
import { createConfiguredQueue, linkSecretOf, openConfiguredWorker } from './mail-from-config.ts';
import { createMetrics, type Metrics, measureJobs } from './metrics.ts';
import { type CallOut, createCallOut } from './outbound/call-out.ts';
import { isInvited } from './partners/joining/describe-invitation.ts';
import { type LookupCache, openLookupCache } from './partners/lookup-cache.ts';
import { oldestDueEventSeconds, openEventWorker } from './payments/events/event-worker.ts';
import { reportCommissions } from './postbacks/report-commissions.ts';
import { postbackCalls } from './postbacks/send-postbacks.ts';
import { eraseAccount } from './privacy/erase-account.ts';
import { RELEASE } from './release.ts';
import { dataSecrets, deriveSecret } from './secret.ts';
import { openDeliveryWorker } from './webhooks/deliver.ts';
import { insertDeliveries } from './webhooks/delivery-store.ts';
import { webhookCalls } from './webhooks/webhook-calls.ts';
import type { Supervisor } from './workers/join-supervisor.ts';

export type Service = {
  http: FastifyInstance;
  /** Serves the metrics once it listens. */
  metricsListener: Server;
  ctx: ServiceContext;
  /** Accepts no new connections, and serves open ones until they close or the seconds have passed. */
  drain(seconds: number): Promise<void>;
  /** Keeps the packages and scripts of this release for those who use their addresses after it. */
  keepDownloads(): Promise<void>;
  /** Accepts no more requests, finishes those in progress, then closes the store. */
  close(): Promise<void>;
};

export type ServiceOptions = {
  /** An open store with its schema up to date, instead of the configured one. It is closed with the service. */
  db?: Db;
  now?: () => Date;
  logTo?: DestinationStream;
  maxWaiting?: number;
  /** How long a request may take to arrive. */
  arrivalMs?: number;
  /** How long a request waits for Redis before this node counts alone. */
  redisAnswerMs?: number;
  /** How long a call to an endpoint may take. */
  callMs?: number;
  /** How long a visitor of a short address waits for the store. */
  redirectMs?: number | undefined;
  /** The supervisor of this process, if it is one of several workers. */
  supervisor?: Supervisor | undefined;
  /** Off in tests that run jobs themselves. */
  runJobs?: boolean;
};

type Parts = {
  config: Config;
  options: ServiceOptions;
  ctx: Context;
  reports: ReportReader;
  logger: Logger;
  secret: string;
};

/** Wires tracking, payments, sign-in, jobs and routes together on an open store. */
export async function assembleService(parts: Parts): Promise<Service> {
  const { config, options, logger, secret } = parts;
  const runsJobs = options.runJobs !== false;
  const measured = {
    isStoreReady: async () => (await findTrouble(parts.ctx.db)) === null,
    inboxAge: () => oldestDueEventSeconds(parts.ctx),
    mailQueue: config.mail && (() => measureQueue(parts.ctx)),
    replica: parts.reports.replica,
  };
  const metrics = createMetrics(measured, parts.ctx.now);
  const readMetrics = options.supervisor?.shareMetrics(metrics.registry) ?? (() => metrics.registry.metrics());
  const mail = createConfiguredQueue(config, secret, (kind) => metrics.mails.labels(kind, 'refused').inc());
  const callOut = createCallOut(config.outboundAllow, { ...(options.callMs && { callMs: options.callMs }) });
  const { encryption } = dataSecrets(secret);
  const calling = { ...parts.ctx, mail, encryption, callOut };
  const deliveries = await openDeliveryWorker(calling, [webhookCalls(calling), postbackCalls(calling)]);
  const numbering = openNumberingWorker({
    ...parts.ctx,
    deliver: async (tx, numbered) => {
      const now = parts.ctx.now();
      const made = [await insertDeliveries(tx, numbered, now), await reportCommissions(tx, numbered, now)];
      if (made.some((count) => count > 0)) tx.afterCommit(deliveries.wake);
    },
  });
  const archive = await openArchive(config.archive);
  const ctx = { ...parts.ctx, mail, archive, announcer: numbering };
  const lookup = await openLookupCache(ctx);
  // The database works on the first job while the routes are added here.
  const startingJobs = runsJobs
    ? startConfiguredJobs(config, { ...ctx, encryption, callOut }, metrics)
    : Promise.resolve(async () => {});
  try {
    const countryOf = config.geoipDatabase ? await openCountryLookup(config.geoipDatabase) : undefined;
    const feedReaders = await openFeedReaders(ctx.db);
    const outward = { numbering, feedReaders, deliveries, callOut, bulkWorker: openBulkWorker({ ...ctx, encryption }) };
    const service = { ...createServiceContext({ ...parts, ctx }, lookup, metrics, countryOf), ...outward };
    const mailWorker = await openConfiguredWorker({
      config,
      ctx,
      secret,
      createResetUrl: (address) => createResetLinkFor(ctx, address, config.baseUrl),
      onMail: (kind, outcome) => metrics.mails.labels(kind, outcome).inc(),
    });
    const windows = await openRateWindows(config, options, logger);
    const http = await createHttpServer({
      ...config,
      ctx: service,
      windows,
      metrics,
      readMetrics,
      metricsAccess: config.metrics,
      arrivalMs: options.arrivalMs,
      redirectMs: options.redirectMs,
      logger,
      version: RELEASE,
    });
    const metricsListener = createMetricsListener(readMetrics, config.metrics);
    const stopJobs = await startingJobs;
    // Events that were still open when the service last stopped.
    if (runsJobs) service.eventWorker.wake();
    if (runsJobs) service.bulkWorker.wake();
    if (runsJobs) numbering.wake();
    if (runsJobs) deliveries.wake();
    if (runsJobs) mailWorker?.wake();
    let keeping: Promise<void> | undefined;
    return {
      http: http.app,
      metricsListener,
      ctx: service,
      drain: http.stopping.drain,
      keepDownloads() {
        keeping = http.downloads.keepAll();
        return keeping;
      },
      async close() {
        // Work in the background ends while the last requests are answered.
        const background = Promise.all([
          service.eventWorker.close(),
          service.bulkWorker.close(),
          mailWorker?.close(),
          stopJobs(),
          keeping,
        ]);
        feedReaders.close();
        await http.stopping.close();
        // The last requests may have announced something.
        await numbering.close();
        await deliveries.close();
        await callOut.close();
        metricsListener.close();
        metricsListener.closeAllConnections();
        await background;
        await service.refusals.close();
        await windows.close();
        await parts.reports.close();
        await ctx.db.close();
      },
    };
  } catch (error) {
    const stopJobs = await startingJobs;
    await stopJobs();
    throw error;
  }
}

function createServiceContext(
  { config, options, ctx, reports, secret }: Parts,
  lookup: LookupCache,
  metrics: Metrics,
  countryOf: CountryLookup | undefined,
): Omit<ServiceContext, 'numbering' | 'feedReaders' | 'deliveries' | 'callOut' | 'bulkWorker'> {
  const { emailSecret, encryption } = dataSecrets(secret);
  const tracking = createTracking(ctx, lookup, {
    emailSecret,
    countryOf,
    maxWaiting: options.maxWaiting,
    onGroup: (what, size, seconds) => {
      metrics.groupSize.labels(what).observe(size);
      metrics.groupSeconds.labels(what).observe(seconds);
      metrics.waiting.labels(what).set(tracking[what].waiting());
    },
  });
  const payments = {
    ...tracking,
    encryption,
    onEventProcessed: (outcome: string) => metrics.processorEvents.labels(outcome).inc(),
  };
  const { baseUrl, signup, maxPrograms } = config;
  const signInOptions = {
    baseUrl,
    secret: deriveSecret(secret, 'sign-in'),
    signup,
    isInvited: (token: string, email: string) => isInvited(ctx, token, email),
    eraseAccount: async (userId: string, requestId: string | null) => {
      await eraseAccount(ctx, userId, { userId, requestId });
      tracking.lookup.forgetAll();
    },
  };
  const joined = joinTransactions(ctx.db);
  const dialect = kyselyOver(dialectOver(notingFailures(joined.db)));
  const signIn = createSignIn({ ...ctx, db: joined.db }, signInOptions, dialect);
  const verifyIdToken = createIdTokenVerifier({ baseUrl, ownKeys: () => signIn.api.getJwks(), outside: config.oidc });
  const linkSecret = linkSecretOf(secret);
  const idempotencySecret = deriveSecret(secret, 'idempotency');
  const eventWorker = openEventWorker(payments);
  return {
    ...payments,
    reports,
    eventWorker,
    idempotencySecret,
    keptBytesPerDay: keptBytesPerDay(config.rateLimits.sale),
    signIn,
    signInStore: joined,
    verifyIdToken,
    signup,
    baseUrl,
    linkSecret,
    domainSecret: deriveSecret(secret, 'link hosts'),
    lookUpTxt: createTxtLookup(config.dnsServers),
    maxPrograms,
  };
}

function startConfiguredJobs(
  { clickRetention, decisionDays, eventContentDays, feedDays, auditDays, updateUrl }: Config,
  ctx: Context & { encryption: Encryption; callOut: CallOut },
  metrics: Metrics,
): Promise<() => Promise<void>> {
  const retiring = clickRetention ? [retireClicks(clickRetention)] : [];
  const purging = auditDays ? [purgeAuditLog(auditDays)] : [];
  const onResult = (newer: string | null) => metrics.updateAvailable.set(newer === null ? 0 : 1);
  const checking = updateUrl ? [checkForUpdate({ url: updateUrl, callOut: ctx.callOut, onResult })] : [];
  const scheduled = [
    ...jobs,
    ...retiring,
    eraseArchived,
    ...purging,
    ...checking,
    purgeDecisions(decisionDays),
    purgeEventContents(eventContentDays),
    purgeFeed(feedDays),
    sealPayoutTexts(ctx.encryption),
  ];
  return startJobs(ctx, measureJobs(metrics, scheduled, ctx.now), scheduled);
}

async function openRateWindows({ redisUrl }: Config, options: ServiceOptions, logger: Logger): Promise<RateWindows> {
  if (!redisUrl) return options.supervisor?.openWindows(logger) ?? createMemoryWindows();
  const { openRedisWindows } = await import('./http/rate-limit/redis-windows.ts');
  return openRedisWindows(redisUrl, logger, options.redisAnswerMs);
}
