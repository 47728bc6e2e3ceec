import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { identifier } from '../values/fields.ts';
import { MEMBERSHIP_STATUSES } from '../values/program.ts';
import { email } from './invitations.ts';
import { listQuery, managed, many, one, PROGRAM, searchFilter } from './route.ts';

/** What a brand can make of a partner; `applied` is what they come as by themselves. */
const STATUSES = ['active', 'blocked', 'removed'] as const;

const partner = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  status: z.enum(MEMBERSHIP_STATUSES),
  has_account: z.boolean().describe('Whether they accepted their invitation.'),
  created_at: z.iso.datetime(),
});

export const managePartners = defineRoute({
  ...managed,
  id: 'managePartners',
  method: 'GET',
  path: `${PROGRAM}/partners`,
  summary: 'List the partners of a program',
  description: 'Newest first.',
  role: 'member',
  query: z.object({
    ...listQuery,
    status: z.enum(MEMBERSHIP_STATUSES, { error: `status must be ${MEMBERSHIP_STATUSES.join(', ')}` }).optional(),
    q: searchFilter('A part of the name or e-mail, in any case.'),
  }),
  reply: many(
    partner.extend({
      last_30_days: z
        .object({ clicks: z.int(), leads: z.int(), sales: z.int() })
        .describe('What they brought in, today included.'),
    }),
  ),
  statuses: [400, 401, 404],
});

export const manageAddPartner = defineRoute({
  ...managed,
  id: 'manageAddPartner',
  method: 'POST',
  path: `${PROGRAM}/partners`,
  summary: 'Add a partner',
  description: 'Send them `invite_url`, so that they can see their own numbers; it works once, for seven days.',
  role: 'member',
  success: 201,
  body: z.object({
    name: identifier('name').min(1, { error: 'name is required' }),
    email,
  }),
  precheck: (sent) => (sent.name && sent.email ? null : 'name and email are required'),
  reply: one(partner.extend({ invite_url: z.string() })),
  statuses: [400, 401, 404, 409],
});

export const manageUpdatePartner = defineRoute({
  ...managed,
  id: 'manageUpdatePartner',
  method: 'PATCH',
  path: `${PROGRAM}/partners/:partner_id`,
  summary: 'Approve, block, remove or bring back a partner',
  description:
    'An application is approved with `active`. Links of a partner who is not active answer 410, and their customers’ sales earn nothing new.',
  role: 'member',
  body: z.object({ status: z.enum(STATUSES, { error: `status must be ${STATUSES.join(', ')}` }) }),
  reply: one(partner),
  statuses: [400, 401, 404],
});

export const manageInvitePartner = defineRoute({
  ...managed,
  id: 'manageInvitePartner',
  method: 'POST',
  path: `${PROGRAM}/partners/:partner_id/invitation`,
  summary: 'Make the invitation of a partner anew',
  description: 'Links made before it stop at once; the new one works once, for seven days.',
  role: 'member',
  success: 201,
  reply: one(z.object({ invite_url: z.string(), expires_at: z.iso.datetime() })),
  statuses: [401, 404],
});

export const manageRevokePartnerInvitation = defineRoute({
  ...managed,
  id: 'manageRevokePartnerInvitation',
  method: 'DELETE',
  path: `${PROGRAM}/partners/:partner_id/invitation`,
  summary: 'Take the invitation of a partner back',
  description: 'Its link stops at once. Safe to repeat.',
  role: 'member',
  reply: one(z.object({})),
  statuses: [401, 404],
});
