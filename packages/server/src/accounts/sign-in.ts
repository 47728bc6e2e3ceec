import { ServiceError } from '@svc/contract';
import { betterAuth } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { jwt } from 'better-auth/plugins';
import { CamelCasePlugin, Kysely } from 'kysely';
import { insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { notingFailures } from '../db/noted-failures.ts';
import { createFactorPlugins } from './factors/create-factor-plugins.ts';
import { completeReset } from './recovery/complete-reset.ts';
import { mailVerificationIn } from './recovery/confirm-address.ts';
import { deviceHash } from './recovery/device.ts';
import { recordDevice } from './recovery/record-device.ts';
import { deleteResetLinks } from './recovery/reset-link-store.ts';
import { reportSecurityChange } from './report-security-change.ts';
import { accountEvent, revokeTokens } from './revoke-access.ts';
import { findUser, hasSecondFactor } from './user-store.ts';
import { accountCreated, createWorkspace } from './workspaces/create-workspace.ts';

export type SignInOptions = {
  baseUrl: string;
  secret: string;
  signup: 'open' | 'closed';
  /** Whether the token allows creating an account with this address while sign-up is closed. */
  isInvited: (token: string, email: string) => Promise<boolean>;
  /** Deletes the account and every trace of the person. */
  eraseAccount: (userId: string, requestId: string | null) => Promise<void>;
};

const DAY_SECONDS = 86_400;
const ID_TOKEN_LIFETIME = '10m';

/** The header in which the edge passes on the client's address. The edge drops any value that the client sent. */
export const CLIENT_ADDRESS_HEADER = 'x-svc-client-address';

/** The header in which the edge passes on the id of the request. */
export const REQUEST_ID_HEADER = 'x-request-id';

const requestIdOf = (request: { headers?: Headers | undefined } | null) =>
  request?.headers?.get(REQUEST_ID_HEADER) ?? null;

const deviceOf = (request: { headers: Headers } | undefined) =>
  deviceHash(request?.headers.get('user-agent') ?? '', request?.headers.get(CLIENT_ADDRESS_HEADER) ?? '');

/** The library's route for changing a password, which also ends the account's tokens. */
const CHANGE_PASSWORD = '/change-password';

/** The library's route for signing in with a password, which a second factor may have to follow. */
const PASSWORD_SIGN_IN = '/sign-in/email';

/** The library's routes that open a session after a second factor. */
const PROVES_FACTOR: ReadonlySet<string> = new Set([
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
]);

/** The header that carries the invitation token when an invited user creates their account. */
export const INVITATION_HEADER = 'x-svc-invitation';

/** Sign-up, sign-in, sessions and signed id tokens under `/api/auth`. */
export function createSignIn(
  ctx: Context,
  { baseUrl, secret, signup, isInvited, eraseAccount }: SignInOptions,
  dialect: Kysely<unknown>,
) {
  // A mail that cannot be queued keeps nobody out.
  const logFailure = (error: unknown) => ctx.log.error({ err: error }, 'A mail about an account could not be queued');
  return betterAuth({
    // Without a path: the library would use it as its own base path.
    baseURL: new URL(baseUrl).origin,
    basePath: '/api/auth',
    secret,
    trustedOrigins: [new URL(baseUrl).origin],
    database: { db: dialect, type: 'postgres', transaction: false },
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }, request) =>
        completeReset(ctx, user, { requestId: requestIdOf(request ?? null), device: deviceOf(request) }),
    },
    hooks: {
      before: createAuthMiddleware(async ({ path, headers, body }) => {
        if (signup === 'open' || path !== '/sign-up/email') return;
        if (await isInvited(headers?.get(INVITATION_HEADER) ?? '', String(body?.email))) return;
        throw new APIError('BAD_REQUEST', {
          message: 'Sign-up is by invitation only. Ask the operator for an invitation.',
        });
      }),
    },
    user: {
      modelName: 'users',
      deleteUser: {
        enabled: true,
        // The library has checked the password. What it deletes afterwards is gone by then.
        beforeDelete: async ({ id }, request) => {
          await eraseAccount(id, requestIdOf(request ?? null)).catch(refuseDeletion);
        },
      },
    },
    session: {
      modelName: 'sessions',
      expiresIn: 30 * DAY_SECONDS,
      updateAge: DAY_SECONDS,
      // The edge asks again before what needs a recent proof.
      freshAge: 0,
      additionalFields: {
        provedAt: { type: 'date', required: true, input: false },
        factorProvedAt: { type: 'date', required: false, input: false },
        lastUsedAt: { type: 'date', required: false, input: false },
      },
    },
    account: { modelName: 'sign_ins' },
    verification: {
      modelName: 'verifications',
      // A link that resets a password is a secret, so the store has its hash only.
      storeIdentifier: { default: 'plain', overrides: { 'reset-password:': 'hashed' } },
    },
    // The edge has its own limits in front of these routes.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'svc',
      // Set explicitly: by default the library skips origin checks where it detects a test environment.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      useSecureCookies: baseUrl.startsWith('https://'),
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      // Migrations make the schema, and a test compares it with what the library writes. The library would read the whole catalog
      // at every start, and refuse every sign-in until the next one if a table was being replaced at that moment.
      database: { validateSchema: false },
    },
    databaseHooks: {
      user: {
        create: {
          // When sign-up is closed, an account gets what its invitation is for, and no workspace of its own.
          after: async (user, request) => {
            const actor = { userId: user.id, name: user.name, requestId: requestIdOf(request) };
            if (signup === 'open') await createWorkspace(ctx, user, actor);
            else await insertAuditEvent(ctx.db, accountCreated(null, user, actor), ctx.now());
            if (ctx.mail) await ctx.db.transaction((tx) => mailVerificationIn(tx, ctx, user)).catch(logFailure);
          },
        },
      },
      account: {
        update: {
          // A user may change their password because someone else has had access.
          after: async (account, request) => {
            if (request?.path !== CHANGE_PASSWORD) return;
            await ctx.db.transaction(async (tx) => {
              await revokeTokens(tx, account.userId, ctx.now());
              await deleteResetLinks(tx, account.userId);
              const user = { id: account.userId, name: (await findUser(tx, account.userId))?.name ?? '' };
              const actor = { userId: user.id, name: user.name, requestId: requestIdOf(request) };
              await insertAuditEvent(tx, await accountEvent(tx, user, 'account.password_changed', actor), ctx.now());
              await reportSecurityChange(tx, ctx, user.id, 'password_changed');
            });
          },
        },
      },
      session: {
        create: {
          before: async (session, request) => {
            const user = await findUser(notingFailures(ctx.db), session.userId);
            if (user?.suspendedAt) throw new APIError('FORBIDDEN', { message: 'Your account has been suspended.' });
            const factorProvedAt = PROVES_FACTOR.has(request?.path ?? '') ? ctx.now() : null;
            return { data: { provedAt: ctx.now(), factorProvedAt, lastUsedAt: ctx.now() } };
          },
          // With a second factor, the password alone opens a session for a moment only.
          after: async (session, request) => {
            const isFirstStep = request?.path === PASSWORD_SIGN_IN && (await hasSecondFactor(ctx.db, session.userId));
            if (!isFirstStep) await recordDevice(ctx, session).catch(logFailure);
          },
        },
      },
    },
    plugins: [
      jwt({
        jwt: {
          issuer: baseUrl,
          audience: baseUrl,
          expirationTime: ID_TOKEN_LIFETIME,
          // It is worth nothing once the session has ended.
          definePayload: ({ user, session }) => ({ ...user, sid: session.id }),
        },
        schema: { jwks: { modelName: 'signing_keys' } },
        // Otherwise every session lookup would sign a token.
        disableSettingJwtHeader: true,
      }),
      ...createFactorPlugins(ctx, baseUrl),
    ],
    logger: { disabled: true },
    // What is no refusal reaches the edge, which logs it. The library would print it to the console.
    onAPIError: { throw: true },
    telemetry: { enabled: false },
  });
}

function refuseDeletion(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  throw new APIError('CONFLICT', { message: error.message });
}

export type SignIn = ReturnType<typeof createSignIn>;

export function kyselyOver(dialect: ConstructorParameters<typeof Kysely>[0]['dialect']): Kysely<unknown> {
  return new Kysely({ dialect, plugins: [new CamelCasePlugin()] });
}
