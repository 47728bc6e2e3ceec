import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { role } from './account.ts';
import { MANAGE, managed, one } from './route.ts';

const member = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  second_factor: z.boolean().describe('Whether the account has an authenticator app or a passkey.'),
  created_at: z.iso.datetime(),
});

export const manageMembers = defineRoute({
  ...managed,
  id: 'manageMembers',
  method: 'GET',
  path: `${MANAGE}/members`,
  summary: 'List workspace members',
  description: 'Owners and members.',
  role: 'member',
  reply: one(z.array(member)),
  statuses: [401, 403],
});

export const workspaceRole = z.enum(['owner', 'member'], { error: 'role must be owner or member' });

export const manageUpdateMember = defineRoute({
  ...managed,
  id: 'manageUpdateMember',
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
  method: 'DELETE',
  path: `${MANAGE}/members/:user_id`,
  summary: 'Remove a member from the workspace',
  description: 'The account remains, without a workspace. The last owner cannot be removed.',
  role: 'owner',
  reply: one(z.object({})),
  statuses: [401, 403, 404, 409],
});
