import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { createWorkspaceIn } from './create-workspace.ts';
import { deleteOpenInvitations } from './invitation-store.ts';
import { revokeWorkspaceAccess } from './revoke-access.ts';
import { deleteSignIns, findUserOfOutsidePerson, hasOutsideSignIn, insertOutsideSignIn } from './sign-in-store.ts';
import { findUserByEmailForUpdate, insertNewUser, type LockedUser, type User, updateProven } from './user-store.ts';
import type { OutsideIdentity } from './verify-id-token.ts';
import { findMemberForUpdate } from './workspace-store.ts';

/**
 * The account of a person from the outside issuer. They are known by the issuer's name for them. Their address only leads
 * to an account once, and never to one that somebody else can still sign in to. Null when they have no account and may not
 * create one.
 */
export function connectOutsideSignIn(
  ctx: Context & { signup: 'open' | 'closed' },
  identity: OutsideIdentity,
): Promise<User | null> {
  return retryOnConflict(() => ctx.db.transaction((tx) => connect(tx, ctx, identity)));
}

async function connect(
  tx: Queryable,
  { signup, now }: Context & { signup: 'open' | 'closed' },
  identity: OutsideIdentity,
): Promise<User | null> {
  const known = await findUserOfOutsidePerson(tx, identity);
  if (known) return known;
  const created = signup === 'open' ? await insertNewUser(tx, identity, now()) : null;
  if (created) await createWorkspaceIn(tx, created, now());
  const user = created ?? (await findUserByEmailForUpdate(tx, identity.email));
  if (!user) return null;
  // While this waited for the account, another first login may have been faster.
  const connected = created ? null : await findUserOfOutsidePerson(tx, identity);
  if (connected) return connected;
  if (await hasOutsideSignIn(tx, user.id, identity.issuer)) throw errors.outsideAddressTaken();
  if (!user.emailVerified) await takeFromStrangers(tx, user, now());
  await insertOutsideSignIn(tx, user.id, identity, now());
  return user;
}

/**
 * Anybody could have signed up with this address. Now that the issuer has proven whose it is, whoever did so loses access:
 * password, sessions, tokens and invitations end, and where to send payouts is asked again. A workspace that the account
 * shares with others could be a trap, so there the person is not let in.
 */
async function takeFromStrangers(tx: Queryable, user: LockedUser, now: Date): Promise<void> {
  const member = await findMemberForUpdate(tx, user.id);
  if (member?.hasOthers) throw errors.outsideAddressUnproven();
  await deleteSignIns(tx, user.id);
  await revokeWorkspaceAccess(tx, user.id, now);
  if (member) await deleteOpenInvitations(tx, member.workspaceId);
  await updateProven(tx, user.id, now);
}
