import { z } from 'zod';
import { identifier, text } from './fields.ts';
import { MANAGE, managed, one } from './manage-route.ts';
import { defineRoute } from './route.ts';

const role = z.enum(['owner', 'member', 'partner']);

export const manageMe = defineRoute({
  ...managed,
  id: 'manageMe',
  method: 'GET',
  path: `${MANAGE}/me`,
  summary: 'Who is signed in',
  description: 'The account, its workspace and its role there.',
  reply: one(
    z.object({
      user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
      advertiser_id: z.int().nullable(),
      role: role.nullable(),
    }),
  ),
  statuses: [401],
});

export const manageLogout = defineRoute({
  ...managed,
  id: 'manageLogout',
  method: 'POST',
  path: `${MANAGE}/logout`,
  summary: 'Revoke the account token of this request',
  description: 'Sessions in browsers end at `/api/auth/sign-out` instead.',
  reply: one(z.object({})),
  statuses: [401],
});

export const managePrograms = defineRoute({
  ...managed,
  id: 'managePrograms',
  method: 'GET',
  path: `${MANAGE}/programs`,
  summary: 'List the programs one has a part in',
  description: 'Those of the workspace, and those one is a partner of.',
  reply: one(z.array(z.object({ id: z.int(), name: z.string(), domain: z.string(), role, commission: z.string() }))),
  statuses: [401],
});

export const manageMembers = defineRoute({
  ...managed,
  id: 'manageMembers',
  method: 'GET',
  path: `${MANAGE}/members`,
  summary: 'List the members of the workspace',
  description: 'Owners and members.',
  role: 'member',
  reply: one(
    z.array(z.object({ id: z.string(), name: z.string(), email: z.string(), role, created_at: z.iso.datetime() })),
  ),
  statuses: [401, 403],
});

const email = text('email').regex(/^[^@\s]+@[^@\s]+$/, { error: 'email must be an e-mail address' });

export const manageInvite = defineRoute({
  ...managed,
  id: 'manageInvite',
  method: 'POST',
  path: `${MANAGE}/invitations`,
  summary: 'Invite somebody into the workspace',
  description: 'Send them `invite_url`; it works once, for seven days.',
  role: 'owner',
  success: 201,
  body: z.object({
    email,
    role: z.enum(['owner', 'member'], { error: 'role must be owner or member' }).default('member'),
  }),
  reply: one(z.object({ id: z.int(), email: z.string(), role, invite_url: z.string(), expires_at: z.iso.datetime() })),
  statuses: [400, 401, 403],
});

export const manageAccept = defineRoute({
  ...managed,
  id: 'manageAccept',
  method: 'POST',
  path: `${MANAGE}/invitations/accept`,
  summary: 'Accept an invitation',
  description: 'The signed-in account joins the workspace, or becomes the partner that was invited.',
  body: z.object({ token: identifier('token').min(1, { error: 'token is required' }) }),
  reply: one(z.object({ role, advertiser_id: z.int() })),
  statuses: [400, 401, 404, 409],
});
