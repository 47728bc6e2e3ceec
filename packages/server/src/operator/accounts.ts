import { email as emailAddress, personName, ROLES, workspaceRole } from '@svc/contract';
import { type ListedAccount, listAccounts } from '../accounts/account-list-store.ts';
import { createAccount as createWithPassword } from '../accounts/create-account.ts';
import { revokeSecondFactors } from '../accounts/factors/revoke-second-factors.ts';
import { createVouchedLink } from '../accounts/recovery/create-reset-link.ts';
import { restoreAccess, revokeAccount } from '../accounts/revoke-access.ts';
import { findUserByEmail } from '../accounts/user-store.ts';
import { inviteMemberIn } from '../accounts/workspaces/invite.ts';
import { findWorkspaceName, insertWorkspace } from '../accounts/workspaces/workspace-store.ts';
import { OPERATOR } from '../audit/audit-store.ts';
import type { Queryable } from '../db/db.ts';
import { OperatorError, type RunCommand, wholeNumber } from './command.ts';

export const createAccount: RunCommand = async (ctx, options, baseUrl) => {
  const email = addressIn(options.email);
  const name = personName.safeParse(options.name ?? email);
  if (!name.success) throw new OperatorError('--name must be 1 to 255 characters');
  const created = await createWithPassword(ctx, { email, name: name.data }, OPERATOR);
  if (!created) {
    throw new OperatorError(
      `There is already an account with the email address ${email}. For a new password: svc-server reset-password --email ${email}`,
    );
  }
  const { user, workspaceId, password } = created;
  return {
    data: { user_id: user.id, email: user.email, workspace_id: workspaceId, password },
    text: `The account ${user.email} is ready, as the owner of workspace ${workspaceId}. Its password is shown only once:

  ${password}

Sign in at ${baseUrl}/app/sign-in and change it under Account settings.`,
  };
};

/** Prints a link for a new password. The operator vouches for the address, so nothing of the account is cleared. */
export const resetPassword: RunCommand = async (ctx, options, baseUrl) => {
  const user = await requireUser(ctx.db, options.email);
  if (user.suspendedAt) {
    throw new OperatorError(
      `The account ${user.email} is suspended. Restore it first: svc-server restore --email ${user.email}`,
    );
  }
  const url = await createVouchedLink(ctx, user, baseUrl, OPERATOR);
  return {
    data: { user_id: user.id, reset_url: url },
    text: `Send this link to ${user.email}. It sets a new password, works once, and expires in one hour. All sessions and account tokens end when it is used.\n\n  ${url}`,
  };
};

export const removeSecondFactors: RunCommand = async (ctx, options) => {
  const user = await requireUser(ctx.db, options.email);
  const removed = await revokeSecondFactors(ctx, user);
  const factors = removed === 1 ? '1 second factor' : `${removed} second factors`;
  return { data: { user_id: user.id, removed }, text: `Removed ${factors} of ${user.email}.` };
};

/** Invites someone to a workspace. An owner is invited to a new workspace if none is given. */
export const inviteToWorkspace: RunCommand = async (ctx, options, baseUrl) => {
  const email = addressIn(options.email);
  const role = workspaceRole.safeParse(options.role);
  if (!role.success) throw new OperatorError('--role must be owner, admin, finance or viewer');
  if (options.workspace === undefined && role.data !== 'owner') {
    throw new OperatorError('--workspace is required for this role: only an owner can get a new workspace');
  }
  const known = options.workspace === undefined ? null : await requireWorkspace(ctx.db, options.workspace);
  const { workspaceId, token, invitation } = await ctx.db.transaction(async (tx) => {
    const workspaceId = known ?? (await insertWorkspace(tx, email, ctx.now()));
    const invited = { workspaceId, role: role.data, email, invitedBy: null };
    return { workspaceId, ...(await inviteMemberIn(tx, invited, OPERATOR, ctx.now())) };
  });
  const url = `${baseUrl}/invite#${token}`;
  const expiresAt = invitation.expiresAt.toISOString();
  return {
    data: { workspace_id: workspaceId, email, role: role.data, invite_url: url, expires_at: expiresAt },
    text: `Send this link to ${email}. It makes them ${ROLES[role.data].name.toLowerCase()} of workspace ${workspaceId}, works once, and expires on ${expiresAt}:\n\n  ${url}`,
  };
};

export const suspendAccount: RunCommand = async (ctx, options) => {
  const user = await requireUser(ctx.db, options.email);
  await revokeAccount(ctx, user, OPERATOR);
  return { data: { user_id: user.id, suspended: true }, text: `The account ${user.email} is suspended.` };
};

export const restoreAccount: RunCommand = async (ctx, options) => {
  const user = await requireUser(ctx.db, options.email);
  await restoreAccess(ctx, user, OPERATOR);
  return { data: { user_id: user.id, suspended: false }, text: `The account ${user.email} is restored.` };
};

const LISTED = 1_000;

/** Accounts in the order of their addresses. A long list continues after `--after`. */
export const listAllAccounts: RunCommand = async (ctx, { after = '' }) => {
  const accounts = await listAccounts(ctx.db, after.toLowerCase(), LISTED + 1);
  const shown = accounts.slice(0, LISTED);
  const isCut = accounts.length > LISTED;
  const rest = isCut ? [`There are more: continue with --after ${shown.at(-1)?.email}.`] : [];
  return {
    data: { accounts: shown.map(toListed), next_after: isCut ? shown.at(-1)?.email : null },
    text: shown.length === 0 ? 'There are no accounts.' : [...shown.map(accountLine), ...rest].join('\n'),
  };
};

const toListed = ({ id, email, name, workspaceId, role, partnerOf, suspendedAt, createdAt }: ListedAccount) => ({
  ...{ user_id: id, email, name, workspace_id: workspaceId, role, partner_of: partnerOf },
  ...{ suspended: suspendedAt !== null, created_at: createdAt.toISOString() },
});

function accountLine({ email, workspaceId, role, partnerOf, suspendedAt }: ListedAccount): string {
  const rights = [
    ...(role ? [`${ROLES[role].name.toLowerCase()} of workspace ${workspaceId}`] : []),
    ...(partnerOf > 0 ? [`partner in ${partnerOf} ${partnerOf === 1 ? 'workspace' : 'workspaces'}`] : []),
    ...(suspendedAt ? ['suspended'] : []),
  ];
  return `${email}: ${rights.join(', ') || 'no workspace'}`;
}

function addressIn(text: string | undefined): string {
  const address = emailAddress.safeParse(text?.trim());
  if (!address.success) throw new OperatorError('--email must be an email address');
  return address.data.toLowerCase();
}

export async function requireUser(db: Queryable, email = '') {
  const user = await findUserByEmail(db, email);
  if (!user) {
    throw new OperatorError(
      `There is no account with the email address ${email}. To see all: svc-server list-accounts`,
    );
  }
  return user;
}

async function requireWorkspace(db: Queryable, text: string): Promise<number> {
  const workspaceId = wholeNumber(text, '--workspace');
  if ((await findWorkspaceName(db, workspaceId)) === null) {
    throw new OperatorError(
      `There is no workspace ${workspaceId}. To see those of all accounts: svc-server list-accounts`,
    );
  }
  return workspaceId;
}
