import { errors } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasTokenOf } from '../../accounts/account-token-store.ts';
import { type DescribedCliLogin, describeCliLogin } from '../../accounts/cli-logins/describe-cli-login.ts';
import { hashSecretToken } from '../../accounts/secret-token.ts';
import { hasUsers } from '../../accounts/user-store.ts';
import { escapeHtml } from '../../html.ts';
import type { Downloads } from '../assets/downloads.ts';
import { sendAsset } from '../assets/send-asset.ts';
import { readBrowserSession } from '../callers/browser-session.ts';
import { authorizationPage, judgeAuthorization, mistakePage } from '../oauth/authorization.ts';
import { AUTHORIZE_PATH, resourceOf } from '../oauth/oauth-metadata.ts';
import type { ServiceContext } from '../service-context.ts';
import { type DashboardFiles, loadDashboard } from './dashboard-files.ts';

const FOREVER = 'public, max-age=31536000, immutable';

/** Scripts, styles and requests of this origin only, and no framing. */
const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // The page refers to the assets of one build. A cached copy would request files that no longer exist.
  'Cache-Control': 'no-store',
};

/** The web application: its assets, and one page for all paths, which has its own router. */
export function addDashboardRoutes(app: FastifyInstance, ctx: ServiceContext, downloads: Downloads): void {
  let loading: Promise<DashboardFiles> | undefined;
  const load = () => {
    loading ??= loadDashboard().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  // Once there is an account, the service is no longer new.
  let isUsed = ctx.signup === 'closed';
  const isFirstStart = async (): Promise<boolean> => {
    if (isUsed) return false;
    // The page says itself when the store cannot be reached.
    const found = await hasUsers(ctx.db).catch(() => null);
    isUsed = found === true;
    return found === false;
  };

  const sendPage = async (reply: FastifyReply, extra: object = {}) => {
    const { page } = await load();
    const firstStart = (await isFirstStart()) && { first_start: true };
    const mail = ctx.mail && { mail: true };
    const packages = {
      tracker: (await downloads.load('tracker')).immutableUrl,
      node: (await downloads.load('node')).immutableUrl,
    };
    const settings = { base_url: ctx.baseUrl, packages, signup: ctx.signup, ...mail, ...firstStart, ...extra };
    return reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(withSettings(page, settings));
  };

  for (const path of ['/', '/app', '/app/*', '/invite']) app.get(path, (_request, reply) => sendPage(reply));

  app.get('/cli/login', async (request, reply) => {
    const { state } = request.query as { state?: unknown };
    const login = await loginOf(ctx, state);
    reply.code(login.status === 'open' ? 200 : 410);
    return sendPage(reply, { cli_login: { status: login.status, device_name: login.deviceName } });
  });

  app.get(AUTHORIZE_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const asked = judgeAuthorization(ctx.linkSecret, resourceOf(ctx.baseUrl), request.query);
    if (asked.kind === 'asked') return sendPage(reply, { authorization: authorizationPage(asked.request) });
    // Anyone can register an application, so nobody is sent on to one that they have not approved (RFC 9700, section 4.11.2).
    if (asked.kind === 'mistaken' && (await hasApproved(ctx, request, asked.clientId))) {
      return reply.headers({ 'Cache-Control': 'no-store' }).redirect(asked.url, 302);
    }
    reply.code(400);
    return sendPage(reply, { authorization_mistake: mistakePage(asked) });
  });

  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const asset = (await load()).assets.get(request.params.name);
    if (!asset) throw errors.notFound();
    return sendAsset(request, reply, asset, FOREVER, { ownPagesOnly: true });
  });
}

async function hasApproved(ctx: ServiceContext, request: FastifyRequest, clientId: string): Promise<boolean> {
  const session = await readBrowserSession(ctx, request);
  return session !== null && hasTokenOf(ctx.db, session.userId, hashSecretToken(clientId), ctx.now());
}

async function loginOf(ctx: ServiceContext, state: unknown): Promise<DescribedCliLogin> {
  if (typeof state !== 'string' || state.length > 255) return { status: 'unknown', deviceName: null };
  return describeCliLogin(ctx, state);
}

/** Writes settings into an attribute of the page. The policy forbids inline scripts. */
function withSettings(page: string, settings: object): string {
  return page.replace('content="{}"', () => `content="${escapeHtml(JSON.stringify(settings))}"`);
}
