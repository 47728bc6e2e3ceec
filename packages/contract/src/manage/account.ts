import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { boundedText, identifier } from '../values/fields.ts';
import { MEMBERSHIP_STATUSES } from '../values/program.ts';
import { MANAGE, managed, one } from './route.ts';

export const role = z.enum(['owner', 'member', 'partner']);

export const MAX_PAYOUT_DETAILS_CHARS = 500;

const me = one(
  z.object({
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
    advertiser_id: z.int().nullable(),
    role: role.nullable().describe('In the workspace.'),
    payout_details: z.string().nullable().describe('Where one wants to be paid; brands see it on payouts.'),
    partner_of: z.array(
      z.object({
        program_id: z.int(),
        partner_id: z.int(),
        status: z.enum(MEMBERSHIP_STATUSES),
        name: z.string(),
        domain: z.string(),
        commission: z.string().describe('In words.'),
        currency: z.string(),
        cookie_window_days: z.int(),
        link_base: z.string().describe('A link is this and its `short_link`.'),
      }),
    ),
  }),
);

export const manageMe = defineRoute({
  ...managed,
  id: 'manageMe',
  method: 'GET',
  path: `${MANAGE}/me`,
  summary: 'Who is signed in',
  description: 'The account, its workspace and its role there, and the programs it is a partner of.',
  reply: me,
  statuses: [401],
});

export const manageUpdateMe = defineRoute({
  ...managed,
  id: 'manageUpdateMe',
  method: 'PATCH',
  path: `${MANAGE}/me`,
  summary: 'Change one’s own profile',
  description: 'Only what is sent changes. `payout_details` is free text that brands see on payouts.',
  keepsNull: ['payout_details'],
  body: z.object({
    name: identifier('name').min(1, { error: 'name must not be empty' }).optional(),
    payout_details: boundedText('payout_details', MAX_PAYOUT_DETAILS_CHARS)
      .nullable()
      .transform((value) => value?.trim() || null)
      .optional()
      .describe('Empty or null: none.'),
  }),
  reply: me,
  statuses: [400, 401],
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
