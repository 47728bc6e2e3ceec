import {
  changePasswordFields,
  deleteAccountFields,
  errors,
  requestResetFields,
  resetPasswordFields,
  signInFields,
  signUpFields,
} from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { receiveResetRequest } from '../../accounts/recovery/receive-reset-request.ts';
import { hashSecretToken } from '../../accounts/secret-token.ts';
import { CLIENT_ADDRESS_HEADER, REQUEST_ID_HEADER } from '../../accounts/sign-in.ts';
import { countAttempt, deleteAttempts } from '../../accounts/sign-in-attempt-store.ts';
import { checkFields } from '../body.ts';
import type { RateWindows } from '../rate-limit/windows.ts';
import { byAddress } from '../request-guard.ts';
import type { ServiceContext } from '../service-context.ts';

type SignInRoute = {
  method: 'GET' | 'POST';
  path: string;
  /** Requests per minute from one address. */
  perMinute: number;
  /** The fields of the body that the library gets; none by default. */
  fields?: z.ZodType<object>;
  /** The e-mail address of the account whose password the request tries. Each account has its own limit. */
  accountOf?: (ctx: ServiceContext, request: FastifyRequest, fields: object) => Promise<string | undefined>;
};

/** The routes of the sign-in library that exist here. All others are not found, before anything is written. */
const ROUTES: SignInRoute[] = [
  { method: 'POST', path: '/sign-up/email', perMinute: 10, fields: signUpFields },
  { method: 'POST', path: '/sign-in/email', perMinute: 10, fields: signInFields, accountOf: accountOfFields },
  {
    method: 'POST',
    path: '/change-password',
    perMinute: 5,
    fields: changePasswordFields,
    accountOf: accountOfSession,
  },
  { method: 'POST', path: '/delete-user', perMinute: 5, fields: deleteAccountFields, accountOf: accountOfSession },
  { method: 'POST', path: '/reset-password', perMinute: 10, fields: resetPasswordFields },
  { method: 'POST', path: '/sign-out', perMinute: 100 },
  { method: 'GET', path: '/get-session', perMinute: 100 },
  { method: 'GET', path: '/token', perMinute: 100 },
  { method: 'GET', path: '/jwks', perMinute: 100 },
];

const BASE_PATH = '/api/auth';

const REQUEST_RESET: SignInRoute = {
  method: 'POST',
  path: '/request-password-reset',
  perMinute: 5,
  fields: requestResetFields,
};

/** Passes the sign-in routes to the sign-in library, behind the service's own checks and limits. */
export function addSignInRoutes(app: FastifyInstance, ctx: ServiceContext, windows: RateWindows): void {
  for (const route of ROUTES) {
    app.route({
      method: route.method,
      url: BASE_PATH + route.path,
      // Reading a session may extend it.
      exposeHeadRoute: false,
      onRequest: async (request) => limitAddress(route, request),
      handler: (request, reply) => handle(route, request, reply),
    });
  }

  // Not the library's: it would take longer for addresses that have an account.
  app.route({
    method: REQUEST_RESET.method,
    url: BASE_PATH + REQUEST_RESET.path,
    onRequest: async (request) => limitAddress(REQUEST_RESET, request),
    handler: async (request, reply) => {
      await receiveResetRequest(ctx, checkFields(requestResetFields, request.body).email);
      return reply.header('Cache-Control', 'no-store').send({ status: true });
    },
  });

  async function limitAddress({ path, perMinute }: SignInRoute, request: FastifyRequest): Promise<void> {
    const time = ctx.now();
    const { count, resetsAt } = await windows.hit(`auth${path}:${byAddress(request)}`, time);
    if (count > perMinute) throw errors.rateLimited(secondsIn(resetsAt.getTime() - time.getTime()));
  }

  async function handle(route: SignInRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const fields = route.fields ? checkFields(route.fields, request.body) : {};
    const account = await route.accountOf?.(ctx, request, fields);
    const key = account === undefined ? undefined : attemptsKey(account);
    const waitMs = key === undefined ? 0 : await countAttempt(ctx.db, key, ctx.now());
    if (waitMs > 0) throw errors.signInWait(secondsIn(waitMs));
    const response = await ctx.signIn.handler(libraryRequest(route, request, fields));
    if (response.status >= 500) throw new Error(`The sign-in library answered ${response.status} to ${route.path}`);
    if (response.ok && key !== undefined) await deleteAttempts(ctx.db, key);
    if (!response.ok) logRefusal(route, request, response.status, key);
    return sendResponse(reply, response);
  }

  function libraryRequest({ method, path }: SignInRoute, request: FastifyRequest, fields: object): Request {
    const body = method === 'GET' ? {} : { body: JSON.stringify(fields) };
    return new Request(new URL(BASE_PATH + path, ctx.baseUrl), { method, headers: webHeaders(request), ...body });
  }
}

/** One line for each refusal. The account is a hash, which shows whether attempts target the same one. */
function logRefusal({ path }: SignInRoute, request: FastifyRequest, status: number, key: string | undefined): void {
  const fields = {
    requestId: request.id,
    route: BASE_PATH + path,
    status,
    ip: request.ip,
    ...(key && { account: key }),
  };
  request.log.info(fields, 'A sign-in request was refused');
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  reply.header('Cache-Control', 'no-store');
  return reply.send(Buffer.from(await response.arrayBuffer()));
}

async function accountOfFields(_ctx: ServiceContext, _request: FastifyRequest, fields: object) {
  return (fields as z.infer<typeof signInFields>).email;
}

async function accountOfSession(ctx: ServiceContext, request: FastifyRequest) {
  const session = await ctx.signIn.api.getSession({ headers: webHeaders(request) });
  return session?.user.email;
}

const attemptsKey = (email: string) => `account:${hashSecretToken(email.trim().toLowerCase()).slice(0, 32)}`;

const secondsIn = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

/** The headers in the form the library expects, with the client address as this service determined it. */
export function webHeaders(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && name !== 'content-length') headers.set(name, [value].flat().join(', '));
  }
  headers.set('content-type', 'application/json');
  headers.set(CLIENT_ADDRESS_HEADER, request.ip);
  headers.set(REQUEST_ID_HEADER, request.id);
  return headers;
}
