import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { WORKSPACE_ROLES, type WorkspaceRole } from '../../values/roles.ts';
import { role } from '../account/account.ts';
import { MANAGE, managed, one } from '../route.ts';

const member = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  undeliverable: z.boolean().describe('Whether a mail server has refused the address.'),
  role,
  second_factor: z.boolean().describe('Whether the account has an authenticator app or a passkey.'),
  created_at: z.iso.datetime(),
});
z.globalRegistry.add(member, { id: 'Member' });

export const manageMembers = defineRoute({
  ...managed,
  id: 'manageMembers',
  method: 'GET',
  path: `${MANAGE}/members`,
  summary: 'List workspace members',
  description: 'Everyone in the workspace, with their role. `member` is what the dashboard calls an admin.',
  role: 'viewer',
  reply: one(z.array(member)),
  statuses: [401, 403],
});

const ROLE = 'role must be one of owner, member, finance, viewer';

/** A role in the workspace. What people read as “admin” is `member` on the wire; both are accepted. */
export const workspaceRole = z
  .enum([...WORKSPACE_ROLES, 'admin'], { error: ROLE })
  .transform((sent): WorkspaceRole => (sent === 'admin' ? 'member' : sent))
  .describe('`admin` is another spelling of `member`.');

export const manageUpdateMember = defineRoute({
  ...managed,
  id: 'manageUpdateMember',
  proof: 'recent',
  method: 'PATCH',
  path: `${MANAGE}/members/:user_id`,
  summary: 'Change a member’s role',
  description: 'A workspace keeps at least one owner.',
  role: 'owner',
  body: z.object({ role: workspaceRole }),
  reply: one(member),
  statuses: [400, 401, 403, 404, 409],
});

export const manageRemoveMember = defineRoute({
  ...managed,
  id: 'manageRemoveMember',
  proof: 'recent',
  method: 'DELETE',
  path: `${MANAGE}/members/:user_id`,
  summary: 'Remove a member from the workspace',
  description: 'The account remains, without a workspace. The last owner cannot be removed.',
  role: 'owner',
  reply: one(z.object({})),
  statuses: [401, 403, 404, 409],
});
