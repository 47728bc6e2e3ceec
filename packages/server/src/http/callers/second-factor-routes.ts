import {
  type AuditAction,
  addPasskeyFields,
  codeFields,
  errors,
  passwordFields,
  recoveryCodeFields,
  removePasskeyFields,
  renamePasskeyFields,
  usePasskeyFields,
} from '@svc/contract';
import { hasAuthenticatorApp, hasFactorForUpdate } from '../../accounts/factors/second-factor-store.ts';
import { reportSecurityChange } from '../../accounts/report-security-change.ts';
import { accountEvent } from '../../accounts/revoke-access.ts';
import { hashSecretToken } from '../../accounts/secret-token.ts';
import { deleteSession, updateFactorProved, updateSessionProved } from '../../accounts/sessions/session-store.ts';
import { attemptsFrom, insertCodeUse } from '../../accounts/sign-in-attempt-store.ts';
import { hasSecondFactor } from '../../accounts/user-store.ts';
import { insertAuditEvent } from '../../audit/audit-store.ts';
import { throwingFailures } from '../../db/noted-failures.ts';
import type { SecurityChange } from '../../mail/mail-kind.ts';
import type { ServiceContext } from '../service-context.ts';
import { webHeaders } from './browser-session.ts';
import { requireRecentFactor, requireRecentProof } from './recent-proof.ts';
import { type Attempts, type SignInCall, type SignInRoute, triedFrom } from './sign-in-route.ts';

/** Six digits can be tried out sooner than a password, so the wait grows longer. */
const MAX_CODE_WAIT_MS = 60 * 60_000;

/** The sign-in library's routes for second factors, and for asking again. */
export const SECOND_FACTOR_ROUTES: SignInRoute[] = [
  {
    method: 'POST',
    path: '/verify-password',
    perMinute: 10,
    fields: passwordFields,
    attempts: 'password of the session',
    after: prove,
  },
  {
    method: 'POST',
    path: '/two-factor/enable',
    perMinute: 10,
    fields: passwordFields,
    attempts: 'password of the session',
    before: needEarlierFactor,
    isAtomic: true,
  },
  {
    method: 'POST',
    path: '/two-factor/verify-totp',
    perMinute: 10,
    fields: codeFields,
    attempts: attemptsAtCode('code'),
    before: claimCode,
    isAtomic: true,
    after: proveAndAudit,
  },
  {
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    perMinute: 10,
    fields: recoveryCodeFields,
    attempts: attemptsAtCode('recovery code'),
    before: needApp,
    after: proveFactor,
  },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    perMinute: 10,
    fields: passwordFields,
    attempts: 'password of the session',
    before: needEarlierFactor,
    isAtomic: true,
    after: changed('recovery_codes_renewed'),
  },
  {
    method: 'POST',
    path: '/two-factor/disable',
    perMinute: 10,
    fields: passwordFields,
    attempts: 'password of the session',
    isAtomic: true,
    after: factorRemoved('authenticator_app_removed'),
  },
  { method: 'GET', path: '/passkey/generate-register-options', perMinute: 20, before: needProofForPasskey },
  {
    method: 'POST',
    path: '/passkey/verify-registration',
    perMinute: 20,
    fields: addPasskeyFields,
    before: needProofForPasskey,
    isAtomic: true,
    after: changed('passkey_added'),
  },
  { method: 'GET', path: '/passkey/generate-authenticate-options', perMinute: 20 },
  {
    method: 'POST',
    path: '/passkey/verify-authentication',
    perMinute: 20,
    fields: usePasskeyFields,
    after: endEarlierSession,
  },
  {
    method: 'POST',
    path: '/passkey/update-passkey',
    perMinute: 20,
    fields: renamePasskeyFields,
    isAtomic: true,
    after: audit('account.passkey_renamed'),
  },
  {
    method: 'POST',
    path: '/passkey/delete-passkey',
    perMinute: 20,
    fields: removePasskeyFields,
    before: needRecentProof,
    isAtomic: true,
    after: factorRemoved('passkey_removed'),
  },
];

/**
 * Attempts at a code are counted for the user whom the sign-in library would check it for: that of the session, or of the sign-in
 * that waits for it. No user, no attempt.
 */
function attemptsAtCode(kind: 'code' | 'recovery code') {
  return async (ctx: ServiceContext, call: SignInCall): Promise<Attempts> => {
    const headers = webHeaders(call.request);
    const { userId } = await throwingFailures(() => ctx.signIn.api.findCodeOwner({ headers }));
    if (userId === null) throw errors.challengeExpired();
    const session = await call.session();
    const from = session ? { sessionToken: session.token } : await triedFrom(ctx, call, { userId });
    return {
      key: attemptsFrom(from, kind, userId),
      countedFor: userId,
      maxWaitMs: MAX_CODE_WAIT_MS,
      refuse: errors.codeWait,
    };
  };
}

/** A used code is rejected (replay protection). */
async function claimCode(ctx: ServiceContext, call: SignInCall): Promise<void> {
  const userId = call.attempts?.countedFor;
  if (userId === undefined) throw errors.challengeExpired();
  call.hadApp = await hasAuthenticatorApp(ctx.db, userId);
  if (!call.hadApp) await needEarlierFactor(ctx, call);
  const { code } = call.fields as { code: string };
  const key = `used code:${hashSecretToken(`${userId} ${code}`).slice(0, 32)}`;
  if (!(await insertCodeUse(ctx.db, key, ctx.now()))) throw errors.codeWrong();
}

/** Recovery codes replace those of an app. The library would accept the ones of an app that was never turned on. */
async function needApp(ctx: ServiceContext, { attempts }: SignInCall): Promise<void> {
  if (attempts?.countedFor === undefined) throw errors.challengeExpired();
  if (!(await hasAuthenticatorApp(ctx.db, attempts.countedFor))) throw errors.authenticatorAppMissing();
}

/**
 * Refuses to add a factor, or recovery codes, to those that an account has, unless one of them was given recently. Otherwise the
 * password alone would lead to a factor, and that one to the removal of all others.
 */
async function needEarlierFactor(ctx: ServiceContext, { session }: SignInCall): Promise<void> {
  const current = await session();
  if (current && (await hasSecondFactor(ctx.db, current.userId))) requireRecentFactor(current, ctx.now());
}

async function needProofForPasskey(ctx: ServiceContext, call: SignInCall): Promise<void> {
  await needRecentProof(ctx, call);
  await needEarlierFactor(ctx, call);
}

async function needRecentProof(ctx: ServiceContext, { session }: SignInCall): Promise<void> {
  const current = await session();
  if (!current) throw errors.notSignedIn();
  requireRecentProof(current, ctx.now());
}

async function prove(ctx: ServiceContext, { session }: SignInCall): Promise<void> {
  const current = await session();
  if (current) await updateSessionProved(ctx.db, current.id, ctx.now());
}

async function proveFactor(ctx: ServiceContext, { session }: SignInCall): Promise<void> {
  const current = await session();
  if (current) await updateFactorProved(ctx.db, current.id, ctx.now());
}

/** The first code turns an authenticator app on. */
async function proveAndAudit(ctx: ServiceContext, call: SignInCall): Promise<void> {
  await proveFactor(ctx, call);
  if (call.hadApp === false) await changed('authenticator_app_added')(ctx, call);
}

type FactorChange = Extract<
  SecurityChange,
  | 'authenticator_app_added'
  | 'authenticator_app_removed'
  | 'recovery_codes_renewed'
  | 'passkey_added'
  | 'passkey_removed'
>;

/** Writes the change to the audit log, and tells the owner of the account. */
function changed(change: FactorChange) {
  return async (ctx: ServiceContext, call: SignInCall): Promise<void> => {
    const current = await call.session();
    if (!current) return;
    await audit(`account.${change}`)(ctx, call);
    const { name = null } = call.fields as { name?: string };
    await reportSecurityChange(ctx.db, ctx, current.userId, change, name);
  };
}

/** The same for a factor that was removed. If it was the last one, the password alone does not undo what it protects from. */
function factorRemoved(change: FactorChange) {
  return async (ctx: ServiceContext, call: SignInCall): Promise<void> => {
    const current = await call.session();
    if (!current) return;
    if (!(await hasFactorForUpdate(ctx.db, current.userId))) requireRecentFactor(current, ctx.now());
    await changed(change)(ctx, call);
  };
}

/** A passkey opens a session of its own. When it was asked for in a session, that one ends. */
async function endEarlierSession(ctx: ServiceContext, { session }: SignInCall, response: Response): Promise<void> {
  const earlier = await session();
  const { user } = (await response.clone().json()) as { user: { id: string } };
  if (earlier?.userId === user.id) await deleteSession(ctx.db, user.id, earlier.id);
}

function audit(action: AuditAction) {
  return async (ctx: ServiceContext, { request, session }: SignInCall): Promise<void> => {
    const current = await session();
    if (!current) return;
    const user = { id: current.userId, name: current.name };
    const actor = { userId: user.id, name: user.name, requestId: request.id };
    await insertAuditEvent(ctx.db, await accountEvent(ctx.db, user, action, actor), ctx.now());
  };
}
