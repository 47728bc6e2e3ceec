import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { updateMethodEnded } from '../payout-methods/payout-method-store.ts';
import { deleteDevicesOf } from './recovery/device-store.ts';
import { revokeWorkspaceAccess } from './revoke-access.ts';
import { deleteSignIns, findUserOfOutsidePerson, hasOutsideSignIn, insertOutsideSignIn } from './sign-in-store.ts';
import { findUserByEmailForUpdate, insertNewUser, type User, updateProven } from './user-store.ts';
import type { OutsideIdentity } from './verify-id-token.ts';
import { createWorkspaceIn } from './workspaces/create-workspace.ts';
import { deleteOpenInvitations } from './workspaces/invitation-store.ts';
import { findMemberForUpdate } from './workspaces/workspace-store.ts';

/**
 * The account of a user of the outside issuer, who is identified by the issuer's subject. Their address leads to an account
 * only the first time, and never to one that someone else can still sign in to. Null when they have no account and may not
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
  if (created) {
    const actor = { userId: created.id, name: created.name, requestId: null };
    await createWorkspaceIn(tx, created, actor, now());
  }
  const user = created ?? (await findUserByEmailForUpdate(tx, identity.email));
  if (!user) return null;
  // While this waited for the lock, a concurrent first sign-in may have connected the account.
  const connected = created ? null : await findUserOfOutsidePerson(tx, identity);
  if (connected) return connected;
  if (await hasOutsideSignIn(tx, user.id, identity.issuer)) throw errors.outsideAddressTaken();
  if (!user.emailVerified) await takeFromStrangers(tx, user, now());
  await insertOutsideSignIn(tx, user.id, identity, now());
  return user;
}

/**
 * Anyone could have signed up with this address. Now that the issuer has proven who owns it, the earlier holder loses access:
 * password, sessions, tokens, invitations and the payout method end, and known devices are cleared. A workspace that the account shares
 * with others could be a trap, so the sign-in is refused in that case.
 */
async function takeFromStrangers(tx: Queryable, user: User, now: Date): Promise<void> {
  const member = await findMemberForUpdate(tx, user.id);
  if (member?.hasOthers) throw errors.outsideAddressUnproven();
  await deleteSignIns(tx, user.id);
  await revokeWorkspaceAccess(tx, user.id, now);
  await deleteDevicesOf(tx, user.id);
  if (member) await deleteOpenInvitations(tx, member.workspaceId);
  await updateMethodEnded(tx, user.id, now);
  await updateProven(tx, user.id, now);
}
