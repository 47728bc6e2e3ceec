import { ACCOUNT_TOKEN_PREFIX } from '@svc/contract';
import { onTestFinished } from 'vitest';
import { insertAccountToken } from '../../../server/src/accounts/account-token-store.ts';
import { newSecretToken } from '../../../server/src/accounts/secret-token.ts';
import { insertNewUser, type User } from '../../../server/src/accounts/user-store.ts';
import { insertMember } from '../../../server/src/accounts/workspaces/workspace-store.ts';
import { openPostgres } from '../../../server/src/db/engines/postgres.ts';
import { newId } from '../sold.ts';
import { newPostgres } from '../stores/store.ts';
import { setUp } from './first-program.ts';
import { SECRET } from './processes.ts';

/** An installation of its own, with a program and the token of its owner. */
export async function ownedInstallation() {
  const env = { DATABASE_URL: await newPostgres(), SVC_SECRET: SECRET, SVC_RATE_LIMITS: 'manage=1000000' };
  const first = await setUp(env);
  const db = openPostgres(env.DATABASE_URL);
  onTestFinished(() => db.close());
  const now = new Date();
  const [program] = await db.query<{ workspaceId: number }>(
    'select advertiser_id as "workspaceId" from programs where id = $1',
    [first.program_id],
  );
  const { id: userId } = (await insertNewUser(db, { email: `${newId('o')}@acme.test`, name: 'Robin' }, now)) as User;
  await insertMember(db, { userId, workspaceId: program?.workspaceId as number, role: 'owner' }, now);
  const { token, hash } = newSecretToken(ACCOUNT_TOKEN_PREFIX);
  await insertAccountToken(db, { userId, hash, expiresAt: new Date(now.getTime() + 86_400_000) }, now);
  return { env, first, db, token, workspaceId: program?.workspaceId as number };
}
