import { randomBytes } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import type { Actor } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { updatePassword } from './sign-in-store.ts';
import { insertNewUser, type User } from './user-store.ts';
import { createWorkspaceIn } from './workspaces/create-workspace.ts';

/**
 * Creates an account with a workspace and a generated password, which is returned only here. Null when the address has an
 * account. The operator vouches for the address.
 */
export async function createAccount(
  ctx: Context,
  person: { email: string; name: string },
  actor: Actor,
): Promise<{ user: User; workspaceId: number; password: string } | null> {
  const { password, hash } = await newPassword();
  return ctx.db.transaction(async (tx) => {
    const user = await insertNewUser(tx, person, ctx.now());
    if (!user) return null;
    await updatePassword(tx, user.id, hash, ctx.now());
    return { user, workspaceId: await createWorkspaceIn(tx, user, actor, ctx.now()), password };
  });
}

async function newPassword(): Promise<{ password: string; hash: string }> {
  const password = randomBytes(18).toString('base64url');
  return { password, hash: await hashPassword(password) };
}
