import { randomBytes } from 'node:crypto';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { HOUR_MS } from '../../time.ts';
import { accountEvent } from '../revoke-access.ts';
import { findUserByEmail, type User, updateVerified } from '../user-store.ts';
import { insertResetLink } from './reset-link-store.ts';

/** Creates a link that sets a new password, once, within an hour. The sign-in library accepts it. */
async function createResetLink(
  ctx: { db: Queryable; now: () => Date },
  { id: userId }: Pick<User, 'id'>,
  baseUrl: string,
): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  // The library compares it with the machine's clock.
  const expiresAt = new Date(Date.now() + HOUR_MS);
  await insertResetLink(ctx.db, { token, userId, expiresAt }, ctx.now());
  return `${baseUrl}/app/reset-password#${token}`;
}

/** The same on behalf of the operator, who vouches for the address. */
export function createVouchedLink(ctx: Context, user: User, baseUrl: string, actor: Actor): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    await updateVerified(tx, user.id, ctx.now());
    await insertAuditEvent(tx, await accountEvent(tx, user, 'account.reset_link_created', actor), ctx.now());
    return createResetLink({ db: tx, now: ctx.now }, user, baseUrl);
  });
}

/** The same for the account with this address; null when there is none, or it is suspended. */
export async function createResetLinkFor(
  ctx: Pick<Context, 'db' | 'now'>,
  address: string,
  baseUrl: string,
): Promise<string | null> {
  const user = await findUserByEmail(ctx.db, address);
  return user && !user.suspendedAt ? createResetLink(ctx, user, baseUrl) : null;
}
