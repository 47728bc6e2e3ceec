import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { identifier, text } from '../values/fields.ts';
import { role } from './account.ts';
import { MANAGE, managed, one } from './route.ts';
import { workspaceRole } from './team.ts';

export const email = text('email').regex(/^[^@\s]+@[^@\s]+$/, { error: 'email must be an e-mail address' });

const invitation = z.object({
  id: z.int(),
  email: z.string(),
  role,
  expires_at: z.iso.datetime(),
});

export const manageInvitations = defineRoute({
  ...managed,
  id: 'manageInvitations',
  method: 'GET',
  path: `${MANAGE}/invitations`,
  summary: 'List the open invitations into the workspace',
  description: 'Newest first, expired ones too. Those of partners are with the partners.',
  role: 'owner',
  reply: one(z.array(invitation.extend({ expired: z.boolean(), created_at: z.iso.datetime() }))),
  statuses: [401, 403],
});

export const manageInvite = defineRoute({
  ...managed,
  id: 'manageInvite',
  method: 'POST',
  path: `${MANAGE}/invitations`,
  summary: 'Invite somebody into the workspace',
  description: 'Send them `invite_url`; it works once, for seven days.',
  role: 'owner',
  success: 201,
  body: z.object({ email, role: workspaceRole.default('member') }),
  reply: one(invitation.extend({ invite_url: z.string() })),
  statuses: [400, 401, 403],
});

export const manageReissueInvitation = defineRoute({
  ...managed,
  id: 'manageReissueInvitation',
  method: 'POST',
  path: `${MANAGE}/invitations/:invitation_id/re-issue`,
  summary: 'Make the link of an invitation anew',
  description: 'The link before it stops at once; the new one works once, for seven days.',
  role: 'owner',
  reply: one(invitation.extend({ invite_url: z.string() })),
  statuses: [401, 403, 404],
});

export const manageRevokeInvitation = defineRoute({
  ...managed,
  id: 'manageRevokeInvitation',
  method: 'POST',
  path: `${MANAGE}/invitations/:invitation_id/revoke`,
  summary: 'Take an invitation back',
  description: 'Its link stops at once. One that was accepted cannot be taken back.',
  role: 'owner',
  reply: one(z.object({})),
  statuses: [401, 403, 404],
});

const token = identifier('token').min(1, { error: 'token is required' });

export const manageLookUpInvitation = defineRoute({
  id: 'manageLookUpInvitation',
  method: 'POST',
  path: `${MANAGE}/invitations/look-up`,
  summary: 'Tell what an invitation is about',
  description:
    'For the page that speaks to somebody who is not signed in yet. The token is the credential: that of an invitation, or of the link that a program can be joined with.',
  auth: 'none',
  bucket: 'cli',
  fail: managed.fail,
  body: z.object({ token }),
  reply: one(
    z.object({
      status: z.enum(['open', 'used', 'expired']),
      role,
      email: z.string().nullable().describe('Who was invited; null for a link that anybody may join with.'),
      workspace: z.string(),
      programs: z.array(z.string()).describe('Names of the programs that a partner is invited to.'),
      needs_approval: z.boolean().describe('Whether the brand looks at whoever joins first.'),
      expires_at: z.iso.datetime().nullable(),
    }),
  ),
  statuses: [400, 404],
});

export const manageAccept = defineRoute({
  ...managed,
  id: 'manageAccept',
  method: 'POST',
  path: `${MANAGE}/invitations/accept`,
  summary: 'Accept an invitation',
  description:
    'The signed-in account joins the workspace, becomes the partner that was invited, or joins a program by its link. Safe to repeat with that one.',
  body: z.object({ token }),
  reply: one(
    z.object({
      role,
      advertiser_id: z.int(),
      status: z.enum(['active', 'applied']).describe('`applied` until the brand has approved a partner.'),
    }),
  ),
  statuses: [400, 401, 404, 409],
});
