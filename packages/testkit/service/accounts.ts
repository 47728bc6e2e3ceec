import { createHmac } from 'node:crypto';
import { ACCOUNT_TOKEN_PREFIX, SCOPED_TOKEN_PREFIX, type TokenScope, type WorkspaceRole } from '@svc/contract';
import { insertAccountToken } from '../../server/src/accounts/account-token-store.ts';
import { newSecretToken } from '../../server/src/accounts/secret-token.ts';
import { insertNewUser, type User } from '../../server/src/accounts/user-store.ts';
import { insertMember, insertWorkspace } from '../../server/src/accounts/workspaces/workspace-store.ts';
import { updatePartnerUser } from '../../server/src/partners/partner-account-store.ts';
import { newAddress } from './addresses.ts';
import { untilNumbered } from './numbered.ts';
import { PASSWORD, PASSWORD_HASH } from './password.ts';
import type { Answer, TestProgram, TestService } from './service.ts';
import { newId } from './sold.ts';

export { PASSWORD };

/** The public origin of the service in tests. */
export const OWN_ORIGIN = 'https://track.test';

export const newEmail = () => `${newId('person')}@people.test`;

export type TestAccount = { userId: string; email: string; token: string };
export type OwnerAccount = TestAccount & { workspaceId: number };

/** A user with an account token and without a workspace. */
export async function newAccount(service: TestService, email = newEmail()): Promise<TestAccount> {
  const { ctx } = service;
  const { id: userId } = (await insertNewUser(ctx.db, { email, name: 'Robin' }, ctx.now())) as User;
  return { userId, email, token: await newToken(service, userId) };
}

/** Another account token of the user, valid for 90 days. */
export async function newToken(service: TestService, userId: string): Promise<string> {
  const { token, hash } = newSecretToken(ACCOUNT_TOKEN_PREFIX);
  const expiresAt = new Date(service.time.getTime() + 90 * 86_400_000);
  await insertAccountToken(service.ctx.db, { userId, hash, expiresAt }, service.ctx.now());
  return token;
}

type Limits = { scopes: TokenScope[]; programId?: number | null; expiresAt?: Date | null };

/** A token of the user with scopes, valid for 90 days unless it says otherwise. */
export async function newScopedToken(service: TestService, userId: string, limits: Limits): Promise<string> {
  const { token, hash } = newSecretToken(SCOPED_TOKEN_PREFIX);
  const expiresAt = new Date(service.time.getTime() + 90 * 86_400_000);
  await insertAccountToken(service.ctx.db, { userId, hash, expiresAt, ...limits }, service.ctx.now());
  return token;
}

/** A new account with a role in the workspace. */
export async function memberOf(
  service: TestService,
  workspaceId: number,
  role: WorkspaceRole = 'owner',
): Promise<OwnerAccount> {
  const account = await newAccount(service);
  await insertMember(service.ctx.db, { userId: account.userId, workspaceId, role }, service.ctx.now());
  return { ...account, workspaceId };
}

/** The owner of a new, empty workspace. */
export async function newOwner(service: TestService): Promise<OwnerAccount> {
  return memberOf(service, await insertWorkspace(service.ctx.db, 'Acme', service.ctx.now()));
}

/** A new account that belongs to the partner. */
export async function partnerAccount(service: TestService, partnerId: number): Promise<TestAccount> {
  const account = await newAccount(service);
  await updatePartnerUser(service.ctx.db, partnerId, account.userId, service.ctx.now());
  return account;
}

export type OwnedProgram = TestProgram & { owner: OwnerAccount };

/** A program with its owner. */
export async function ownedProgram(
  service: TestService,
  settings: Parameters<TestService['program']>[0] = {},
): Promise<OwnedProgram> {
  const created = await service.program(settings);
  return { ...created, owner: await memberOf(service, created.workspaceId) };
}

const unchanged = new WeakMap<object, Promise<OwnedProgram>>();

/** A program with its owner that all tests of the service share, for requests that change nothing. Creating one takes longer than most requests. */
export function unchangedProgram(service: TestService): Promise<OwnedProgram> {
  const made = unchanged.get(service.service) ?? ownedProgram(service);
  unchanged.set(service.service, made);
  return made;
}

/** The path of a management route of the program. */
export const manage = ({ program }: Pick<TestProgram, 'program'>, rest = '') =>
  `/api/v1/manage/programs/${program.id}${rest}`;

/** An id token of this service for a new session of the account, like those of `GET /api/auth/token`. */
export async function idTokenOf(service: TestService, userId: string): Promise<string> {
  const { internalAdapter } = await service.ctx.signIn.$context;
  const device = { ipAddress: newAddress(), userAgent: 'lightMyRequest' };
  const { id: sid } = await internalAdapter.createSession(userId, false, device);
  const { token } = await service.ctx.signIn.api.signJWT({ body: { payload: { sub: userId, sid } } });
  return token;
}

/** Starts a CLI login and returns its state. */
export async function startedLogin(service: TestService): Promise<string> {
  return (await service.call('POST', '/api/v1/cli/auth/start')).body.data.state;
}

export const callback = (service: TestService, body: object) =>
  service.call('POST', '/api/v1/cli/auth/callback', { body });
export const poll = (service: TestService, state: string) =>
  service.call('GET', `/api/v1/cli/auth/poll?state=${encodeURIComponent(state)}`);

/** The cookies that a response sets, as a browser sends them back. */
export function cookiesOf({ headers }: Answer): string {
  const set = [headers['set-cookie'] ?? []].flat() as string[];
  return set.map((cookie) => cookie.split(';')[0]).join('; ');
}

export type SignedUp = { email: string; cookie: string; userId: string };

/** A new user with a password and a session, as `requestSignUp` leaves them. */
export async function signUp(service: TestService, email = newEmail()): Promise<SignedUp> {
  const { internalAdapter } = await service.ctx.signIn.$context;
  const person = { name: 'Robin', email, emailVerified: false };
  const { id: userId } = await internalAdapter.createUser(person, { method: 'email-password' });
  const password = { providerId: 'credential', accountId: userId, password: PASSWORD_HASH };
  await internalAdapter.linkAccount({ userId, ...password });
  return { email, userId, cookie: await newCookie(service, userId) };
}

/** The cookie of a new session, in a browser that no other test uses. */
export async function newCookie(service: TestService, userId: string): Promise<string> {
  const { internalAdapter, authCookies, secret } = await service.ctx.signIn.$context;
  const device = { ipAddress: newAddress(), userAgent: 'lightMyRequest' };
  const { token } = await internalAdapter.createSession(userId, false, device);
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return `${authCookies.sessionToken.name}=${encodeURIComponent(`${token}.${signature}`)}`;
}

/** Signs up a new user over HTTP, from a client address that no other test uses. */
export const requestSignUp = (service: TestService, email = newEmail()) =>
  service.call('POST', '/api/auth/sign-up/email', {
    body: { name: 'Robin', email, password: PASSWORD },
    ip: newAddress(),
  });

export const signIn = (service: TestService, email: string, password = PASSWORD, ip = newAddress()) =>
  service.call('POST', '/api/auth/sign-in/email', { body: { email, password }, ip });

/** Sets a new password with the token of a link. */
export const resetPassword = (service: TestService, token: string, newPassword: string) =>
  service.call('POST', '/api/auth/reset-password', {
    body: { token, newPassword },
    ip: newAddress(),
    headers: { origin: OWN_ORIGIN },
  });

/** All rows of all tables, as text. */
export async function everythingStored(service: TestService): Promise<string> {
  const tables = await tablesOf(service);
  const parts = tables.map((name) => `(select coalesce(jsonb_agg(to_jsonb(t)), '[]') from ${name} t) as ${name}`);
  return JSON.stringify(await service.sql(`select ${parts.join(', ')}`));
}

// The last use of a token is recorded after the reply, so it may change at any time. A signature that fits no secret of a
// payment processor, or is too old, is counted, and nothing else is stored.
const NOT_COMPARED = ['last_used_at', 'signature_mismatches', 'last_mismatch_at', 'late_signatures', 'last_late_at'];

/** A fingerprint of every table that a request could change, for comparison before and after. */
export async function fingerprints(service: TestService): Promise<Record<string, unknown>> {
  await untilNumbered(service);
  const tables = (await tablesOf(service)).filter((name) => name !== 'sign_in_attempts');
  const named = await service.sql<{ name: string }>(
    `select distinct quote_ident(table_name) as name from information_schema.columns
     where table_schema = 'public' and column_name = any ($1::text[])`,
    [NOT_COMPARED],
  );
  const withoutSome = new Set(named.map(({ name }) => name));
  const parts = tables.map((name) => `(${withoutSome.has(name) ? contentOf(name) : newestOf(name)}) as ${name}`);
  const [row] = await service.sql(`select ${parts.join(', ')}`);
  return row ?? {};
}

const contentOf = (table: string) =>
  `select md5(string_agg(r, ' ' order by r)) from (select (to_jsonb(t) - '{${NOT_COMPARED}}'::text[])::text as r from ${table} t) x`;

/** Every new or changed row has the number of its transaction, so these two change with any row, and are quick to read. */
const newestOf = (table: string) => `select count(*) || ' rows, newest ' || max(xmin::text::bigint) from ${table}`;

async function tablesOf(service: TestService): Promise<string[]> {
  const tables = await service.sql<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  return tables.map(({ name }) => name);
}
