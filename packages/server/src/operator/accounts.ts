import { updateTokensRevoked } from '../accounts/account-token-store.ts';
import { findUserByEmail, updateSuspension } from '../accounts/user-store.ts';
import type { Queryable } from '../db/db.ts';
import { OperatorError, type RunCommand } from './command.ts';

export const suspendAccount: RunCommand = async (ctx, options) => {
  const user = await requireUser(ctx.db, options.email);
  await updateSuspension(ctx.db, user.id, ctx.now());
  await updateTokensRevoked(ctx.db, user.id, ctx.now());
  return { data: { user_id: user.id, suspended: true }, text: `The account ${user.email} is suspended.` };
};

export const restoreAccount: RunCommand = async (ctx, options) => {
  const user = await requireUser(ctx.db, options.email);
  await updateSuspension(ctx.db, user.id, null);
  return { data: { user_id: user.id, suspended: false }, text: `The account ${user.email} is restored.` };
};

async function requireUser(db: Queryable, email = '') {
  const user = await findUserByEmail(db, email);
  if (!user) throw new OperatorError(`There is no account with the e-mail address ${email}`);
  return user;
}
