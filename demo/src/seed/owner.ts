import { ACCOUNT_TOKEN_PREFIX } from '@svc/contract';
import { insertAccountToken } from '@svc/server/accounts/account-token-store';
import { newSecretToken } from '@svc/server/accounts/secret-token';
import { insertNewUser } from '@svc/server/accounts/user-store';
import { insertMember } from '@svc/server/accounts/workspaces/workspace-store';
import type { Db } from '@svc/server/db/db';

/** Adds an owner to the workspace and returns an account token of theirs. */
export async function addOwner(db: Db, workspaceId: number): Promise<string> {
  const now = new Date();
  const user = await insertNewUser(db, { email: `owner-${workspaceId}@example.com`, name: 'Olivia Owner' }, now);
  if (!user) throw new Error(`Workspace ${workspaceId} has this owner already`);
  await insertMember(db, { userId: user.id, workspaceId, role: 'owner' }, now);
  const { token, hash } = newSecretToken(ACCOUNT_TOKEN_PREFIX);
  await insertAccountToken(db, { userId: user.id, hash, expiresAt: new Date(now.getTime() + 86_400_000) }, now);
  return token;
}
