import { updateTokensRevoked } from '../accounts/account-token-store.ts';
import { findUserByEmail, updateSuspension } from '../accounts/user-store.ts';
import { type OperatorCommand, OperatorError } from './command.ts';

const emailOption = { flags: '--email <email>', description: 'e-mail of the account', required: true };

export const suspendAccountCommand: OperatorCommand = {
  name: 'suspend-account',
  description: 'suspend an account: its sessions and tokens stop at once',
  options: [emailOption],
  async run(ctx, options) {
    const user = await userOf(ctx.db, options.email);
    await updateSuspension(ctx.db, user.id, ctx.now());
    await updateTokensRevoked(ctx.db, user.id, ctx.now());
    return { data: { user_id: user.id, suspended: true }, text: `The account ${user.email} is suspended.` };
  },
};

export const restoreAccountCommand: OperatorCommand = {
  name: 'restore-account',
  description: 'restore a suspended account; it signs in anew',
  options: [emailOption],
  async run(ctx, options) {
    const user = await userOf(ctx.db, options.email);
    await updateSuspension(ctx.db, user.id, null);
    return { data: { user_id: user.id, suspended: false }, text: `The account ${user.email} is restored.` };
  },
};

async function userOf(db: Parameters<typeof findUserByEmail>[0], email = '') {
  const user = await findUserByEmail(db, email);
  if (!user) throw new OperatorError(`There is no account with the e-mail ${email}`);
  return user;
}
