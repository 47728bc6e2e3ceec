import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import { HOUR_MS } from '../../time.ts';
import { findUserByEmail, type User } from '../user-store.ts';
import { insertResetLink } from './reset-link-store.ts';

/** Creates a link that sets a new password, once, within an hour. The sign-in library accepts it. */
export async function createResetLink(
  ctx: Pick<Context, 'db' | 'now'>,
  { id: userId }: Pick<User, 'id'>,
  baseUrl: string,
): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  // The library compares it with the machine's clock.
  const expiresAt = new Date(Date.now() + HOUR_MS);
  await insertResetLink(ctx.db, { token, userId, expiresAt }, ctx.now());
  return `${baseUrl}/app/reset-password#${token}`;
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
