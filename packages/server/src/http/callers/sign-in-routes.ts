import {
  changePasswordFields,
  deleteAccountFields,
  errors,
  requestResetFields,
  resetPasswordFields,
  ServiceError,
  signInFields,
  signUpFields,
} from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { COUNTED_FOR_HEADER } from '../../accounts/factors/create-code-owner-plugin.ts';
import { passwordProblem } from '../../accounts/passwords/password.ts';
import { receiveResetRequest } from '../../accounts/recovery/receive-reset-request.ts';
import { attemptsFrom, countAttempt, deleteAttempts } from '../../accounts/sign-in-attempt-store.ts';
import { findUser } from '../../accounts/user-store.ts';
import { throwingFailures } from '../../db/noted-failures.ts';
import { checkFields } from '../body.ts';
import type { RateWindows } from '../rate-limit/windows.ts';
import { byAddress } from '../request-guard.ts';
import type { ServiceContext } from '../service-context.ts';
import { type BrowserSession, readBrowserSession, webHeaders } from './browser-session.ts';
import { requireRecentProof } from './recent-proof.ts';
import { SECOND_FACTOR_ROUTES } from './second-factor-routes.ts';
import { refusalIn } from './sign-in-errors.ts';
import { type Attempts, type SignInCall, type SignInRoute, triedFrom } from './sign-in-route.ts';

/** The routes of the sign-in library that exist here. All others are not found, before anything is written. */
const ROUTES: SignInRoute[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    perMinute: 10,
    fields: signUpFields,
    before: refuseEasyPassword,
    isAtomic: true,
  },
  { method: 'POST', path: '/sign-in/email', perMinute: 10, fields: signInFields, attempts: 'password of the fields' },
  {
    method: 'POST',
    path: '/change-password',
    perMinute: 5,
    fields: changePasswordFields,
    attempts: 'password of the session',
    before: refuseEasyPassword,
    isAtomic: true,
  },
  {
    method: 'POST',
    path: '/reset-password',
    perMinute: 10,
    fields: resetPasswordFields,
    before: refuseEasyPassword,
    isAtomic: true,
  },
  {
    method: 'POST',
    path: '/delete-user',
    perMinute: 5,
    fields: deleteAccountFields,
    attempts: 'password of the session',
  },
  { method: 'POST', path: '/sign-out', perMinute: 100 },
  { method: 'GET', path: '/get-session', perMinute: 100 },
  // An account token, which an id token leads to, is never asked again.
  { method: 'GET', path: '/token', perMinute: 100, before: askSessionAgain },
  { method: 'GET', path: '/jwks', perMinute: 100 },
  ...SECOND_FACTOR_ROUTES,
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
    const call = callOf(ctx, request, route.fields ? checkFields(route.fields, request.body) : {});
    try {
      return await sendResponse(reply, await answer(route, call));
    } catch (error) {
      if (error instanceof ServiceError) logRefusal(route, call, error.status);
      throw error;
    }
  }

  async function answer(route: SignInRoute, call: SignInCall): Promise<Response> {
    const attempts = await attemptsOf(ctx, route, call);
    call.attempts = attempts;
    const waitMs = attempts ? await countAttempt(ctx.db, attempts.key, ctx.now(), attempts.maxWaitMs) : 0;
    if (attempts && waitMs > 0) throw attempts.refuse(secondsIn(waitMs));
    await route.before?.(ctx, call);
    // The library may replace the session.
    if (route.after) await call.session();
    const { response, refusal } = route.isAtomic
      ? await ctx.signInStore.run(() => callLibrary({ ...ctx, db: ctx.signInStore.db }, route, call))
      : await callLibrary(ctx, route, call);
    if (refusal) throw refusal;
    if (!response.ok) logRefusal(route, call, response.status);
    else if (attempts) await deleteAttempts(ctx.db, attempts.key);
    return response;
  }

  /** What it throws undoes what the library has written, on routes where that is one transaction. */
  async function callLibrary(ctx: ServiceContext, route: SignInRoute, call: SignInCall) {
    const response = await throwingFailures(() => ctx.signIn.handler(libraryRequest(route, call)));
    const refusal = await refusalIn(response);
    if (response.status >= 500 && !refusal) {
      throw new Error(`The sign-in library answered ${response.status} to ${route.path}`);
    }
    if (response.ok) await route.after?.(ctx, call, response);
    return { response, refusal };
  }

  function libraryRequest({ method, path }: SignInRoute, { request, fields, attempts }: SignInCall): Request {
    const body = method === 'GET' ? {} : { body: JSON.stringify(fields) };
    const headers = webHeaders(request);
    if (attempts?.countedFor) headers.set(COUNTED_FOR_HEADER, attempts.countedFor);
    return new Request(new URL(BASE_PATH + path, ctx.baseUrl), { method, headers, ...body });
  }
}

/** One line for each refusal. The account is a hash, which shows whether attempts target the same one. */
function logRefusal({ path }: SignInRoute, { request, attempts }: SignInCall, status: number): void {
  const fields = {
    requestId: request.id,
    route: BASE_PATH + path,
    status,
    ip: request.ip,
    ...(attempts && { account: attempts.key }),
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

function callOf(ctx: ServiceContext, request: FastifyRequest, fields: object): SignInCall {
  let session: Promise<BrowserSession | null> | undefined;
  return {
    request,
    fields,
    session: () => {
      session ??= readBrowserSession(ctx, request);
      return session;
    },
  };
}

async function attemptsOf(
  ctx: ServiceContext,
  { attempts }: SignInRoute,
  call: SignInCall,
): Promise<Attempts | undefined> {
  if (attempts === undefined || typeof attempts === 'function') return attempts?.(ctx, call);
  return { key: await passwordKey(ctx, attempts, call), refuse: errors.signInWait };
}

/** Under what an attempt at a password is counted. */
async function passwordKey(
  ctx: ServiceContext,
  whose: 'password of the fields' | 'password of the session',
  call: SignInCall,
): Promise<string> {
  if (whose === 'password of the session') {
    const session = await call.session();
    if (!session) throw errors.notSignedIn();
    return attemptsFrom({ sessionToken: session.token }, 'account', session.userId);
  }
  const email = (call.fields as z.infer<typeof signInFields>).email.trim().toLowerCase();
  return attemptsFrom(await triedFrom(ctx, call, { email }), 'account', email);
}

const PASSWORD_REFUSALS = {
  blank: errors.passwordBlank,
  common: errors.passwordCommon,
  address: errors.passwordIsAddress,
  product: errors.passwordIsProduct,
};

type NewPassword = { email?: string; password?: string; newPassword?: string; token?: string };

/** Refuses a new password that is easy to guess. */
async function refuseEasyPassword(ctx: ServiceContext, { fields, session }: SignInCall): Promise<void> {
  const { email, password, newPassword, token } = fields as NewPassword;
  const ownEmail = email ?? (token === undefined ? (await session())?.email : await addressOfReset(ctx, token));
  const problem = passwordProblem(newPassword ?? password ?? '', ownEmail);
  if (problem) throw PASSWORD_REFUSALS[problem]();
}

/** The address of the account whose password the link resets. */
async function addressOfReset(ctx: ServiceContext, token: string): Promise<string | undefined> {
  const { internalAdapter } = await ctx.signIn.$context;
  const link = await internalAdapter.findVerificationValue(`reset-password:${token}`);
  return link ? (await findUser(ctx.db, link.value))?.email : undefined;
}

async function askSessionAgain(ctx: ServiceContext, { session }: SignInCall): Promise<void> {
  const current = await session();
  if (current) requireRecentProof(current, ctx.now());
}

const secondsIn = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
