import { AsyncLocalStorage } from 'node:async_hooks';
import { errors, MAX_BODY_BYTES, MAX_IDENTIFIER_CHARS, type RateLimits, type ServiceError } from '@svc/contract';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { type AccountToken, findAccountToken } from '../accounts/account-token-store.ts';
import { hashSecretToken } from '../accounts/secret-token.ts';
import type { Metrics } from '../metrics.ts';
import { addClientRoutes } from './assets/client-files.ts';
import { createDownloads, type Downloads } from './assets/downloads.ts';
import { addLogoRoute } from './assets/logos.ts';
import { addAssetRoutes } from './assets/tracker-assets.ts';
import { acceptBeacons, acceptJson } from './body.ts';
import { recordLastUse } from './callers/record-last-use.ts';
import { addSignInRoutes } from './callers/sign-in-routes.ts';
import { keyOfToken } from './callers/tracking-token.ts';
import { addCliAuthRoutes } from './cli/auth.ts';
import { addCliEventRoutes } from './cli/events.ts';
import { addCliProgramRoutes } from './cli/programs.ts';
import { answerClientError } from './client-error.ts';
import { addDashboardRoutes } from './dashboard/dashboard.ts';
import { addDocsRoutes } from './docs/docs.ts';
import { createGuideLoader } from './docs/guide.ts';
import { addWellKnownFiles } from './docs/well-known-files.ts';
import { addEntityTags } from './entity-tags.ts';
import { handleErrors, sendError } from './error-handler.ts';
import { exactJson } from './exact-json.ts';
import { addFeedRoute } from './feed.ts';
import { type Stopping, stopGently } from './graceful-shutdown.ts';
import { addHealthRoutes } from './health.ts';
import { repeatAnswers } from './idempotency.ts';
import { addManageRoutes } from './manage/manage.ts';
import { addMcpRoute } from './mcp/mcp.ts';
import { rehearsable, type ToolCalls } from './mcp/rehearse.ts';
import { addMetricsRoute, type MetricsAccess, type ReadMetrics, timeRequests } from './metrics.ts';
import { answerUnknownRoutes } from './not-found.ts';
import { addOAuthRoutes } from './oauth/oauth.ts';
import { createOwnHosts } from './own-host.ts';
import { createRateLimiter } from './rate-limit/rate-limit.ts';
import { trustProxies } from './rate-limit/trusted-proxies.ts';
import type { RateWindows } from './rate-limit/windows.ts';
import { addReadinessRoute } from './readiness.ts';
import { addRedirectRoute, createRedirector } from './redirects/redirects.ts';
import { bucketOfPath, byAddress, guardRoutes } from './request-guard.ts';
import { requestIdOf } from './request-id.ts';
import { addSecurityHeaders } from './security-headers.ts';
import type { ServiceContext } from './service-context.ts';
import { addTlsAllowedRoute } from './tls-allowed.ts';
import { addBatchRoute } from './track/batch.ts';
import { addClickRoute } from './track/click.ts';
import { addLeadRoute } from './track/lead.ts';
import { addRefundRoute } from './track/refund.ts';
import { alsoReportedAt } from './track/report-routes.ts';
import { addSaleRoute } from './track/sale.ts';
import { addWebhookRoutes } from './webhooks/processors.ts';

export type HttpOptions = {
  ctx: ServiceContext;
  windows: RateWindows;
  metrics: Metrics;
  logger: FastifyBaseLogger;
  baseUrl: string;
  /** Where the tracker reports to, below `baseUrl`. */
  reportPath: string;
  version: string;
  trustedProxies: string[];
  rateLimits: RateLimits;
  stripePlatformSecret: string | undefined;
  readMetrics: ReadMetrics;
  /** Whom to tell about vulnerabilities, as a URL. */
  securityContact: string | undefined;
  metricsAccess: MetricsAccess;
  /** How long a request may take to arrive. */
  arrivalMs?: number | undefined;
  /** How long a visitor of a short address waits for the store. */
  redirectMs?: number | undefined;
};

/** A body that never ends would hold its connection forever. */
const ARRIVAL_MS = 30_000;
/** How long a connection may be idle: longer than any answer takes, and than the pause between kept-alive requests. */
const SILENCE_MS = 120_000;
const LATE_AGAIN_MS = 5_000;

/** The HTTP edge: every route of the service behind the same guard. */
export async function createHttpServer(
  options: HttpOptions,
): Promise<{ app: FastifyInstance; stopping: Stopping; downloads: Downloads }> {
  const { metrics, baseUrl, arrivalMs = ARRIVAL_MS } = options;
  // Tools call routes inside the process. No request from outside can have this.
  const toolCalls: ToolCalls = new AsyncLocalStorage();
  const ctx = { ...options.ctx, db: rehearsable(options.ctx.db, toolCalls) };
  const trustsProxy = options.trustedProxies.length > 0 ? trustProxies(options.trustedProxies) : undefined;
  const ownHosts = createOwnHosts({ ctx, trustsProxy, maxWaitMs: options.redirectMs });
  const app = Fastify({
    loggerInstance: withoutChildren(options.logger),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: MAX_IDENTIFIER_CHARS },
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: trustsProxy ?? false,
    rewriteUrl: alsoReportedAt(options.reportPath, ownHosts.rewriteUrl),
    requestTimeout: arrivalMs,
    connectionTimeout: SILENCE_MS,
    http: { headersTimeout: arrivalMs, connectionsCheckingInterval: Math.min(LATE_AGAIN_MS, arrivalMs) },
    clientErrorHandler: answerClientError,
    return503OnClosing: false,
    // A URL that cannot be decoded matches no route, and no hook runs for it.
    frameworkErrors: async (_error, request, reply) => {
      reply.header('X-Request-ID', request.id);
      const bucket = bucketOfPath(request.url);
      try {
        if (bucket) await limit(bucket, byAddress(request), reply as never);
        sendError(reply as never, errors.notFound());
      } catch (refusal) {
        sendError(reply as never, refusal as ServiceError);
      }
    },
  });
  const limit = createRateLimiter(options.windows, options.rateLimits, ctx.now);

  app.setReplySerializer(exactJson);
  acceptJson(app);
  addSecurityHeaders(app, baseUrl);
  const stopping = stopGently(app);
  handleErrors(app, ctx, metrics, baseUrl);
  const credentials = {
    key: ctx.lookup.key,
    liveKeys: ctx.lookup.liveKeys,
    keyOfToken: (token: AccountToken) => keyOfToken(ctx, token),
    accountToken: (token: string) => findAccountToken(ctx.db, hashSecretToken(token), ctx.now()),
  };
  const isToolCall = () => toolCalls.getStore() !== undefined;
  const onRelaySignature = (result: string) => metrics.relaySignatures.labels(result).inc();
  guardRoutes(app, { credentials, limit, now: ctx.now, baseUrl, onRelaySignature, isToolCall });
  answerUnknownRoutes(app);
  recordLastUse(app, ctx);
  repeatAnswers(app, ctx);
  addEntityTags(app);
  timeRequests(app, metrics);

  app.register((browser, _options, done) => {
    acceptBeacons(browser);
    addClickRoute(browser, ctx);
    addLeadRoute(browser, ctx);
    done();
  });
  app.register((webhooks, _options, done) => {
    addWebhookRoutes(webhooks, ctx, options.stripePlatformSecret);
    done();
  });
  addSaleRoute(app, ctx);
  addRefundRoute(app, ctx);
  addBatchRoute(app, ctx, metrics);
  const redirect = createRedirector({ ctx, limit, metrics, maxWaitMs: options.redirectMs });
  addRedirectRoute(app, redirect);
  ownHosts.addRoute(app, redirect);
  addReadinessRoute(app, ctx);
  addFeedRoute(app, ctx);
  addCliAuthRoutes(app, ctx);
  addCliProgramRoutes(app, ctx);
  addCliEventRoutes(app, ctx);
  addManageRoutes(app, ctx, options.stripePlatformSecret);
  addSignInRoutes(app, ctx, options.windows);
  addOAuthRoutes(app, ctx);
  const guide = createGuideLoader(baseUrl, options.version);
  addMcpRoute(app, ctx, { version: options.version, toolCalls, guide });
  addHealthRoutes(app, ctx, stopping);
  addTlsAllowedRoute(app, ctx);
  addMetricsRoute(app, options.readMetrics, options.metricsAccess);
  addWellKnownFiles(app, { ...options, now: ctx.now });
  const downloads = createDownloads(ctx, options.reportPath);
  addDocsRoutes(app, { baseUrl, version: options.version, downloads, guide });
  addAssetRoutes(app, ctx, downloads, options.reportPath);
  addClientRoutes(app, options);
  addLogoRoute(app, ctx);
  addDashboardRoutes(app, ctx, downloads);
  await app.ready();
  return { app, stopping, downloads };
}

/**
 * Log lines name the request themselves. A child logger for each request, as Fastify asks for, would cost every click, which
 * logs nothing.
 */
function withoutChildren(logger: FastifyBaseLogger): FastifyBaseLogger {
  const childless = Object.create(logger, { child: { value: () => childless } }) as FastifyBaseLogger;
  return childless;
}
