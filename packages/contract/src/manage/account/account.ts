import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { COMMISSION_BASE_NAMES, COMMISSION_TYPE_NAMES } from '../../values/commission-types.ts';
import { personName } from '../../values/fields.ts';
import { ATTRIBUTION_NAMES, MEMBERSHIP_STATUSES, PROGRAM_STATUSES } from '../../values/program.ts';
import { earnings } from '../../values/program-fields.ts';
import { WORKSPACE_ROLES } from '../../values/roles.ts';
import { MANAGE, managed, one } from '../route.ts';
import { shownMethod } from './payout-method.ts';

export const role = z.enum([...WORKSPACE_ROLES, 'partner']);

const me = one(
  z.object({
    user: z.object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      email_verified: z.boolean().describe('Whether the address is confirmed.'),
      email_undeliverable: z.boolean().describe('Whether a mail server has refused the address.'),
    }),
    advertiser_id: z.int().nullable(),
    workspace: z.string().nullable().describe('Name of the workspace.'),
    role: role.nullable().describe('Role in the workspace.'),
    needs_second_factor: z
      .boolean()
      .describe('Whether the workspace requires a second factor that the account does not have yet.'),
    payout_method: shownMethod.nullable().describe('Where to send payouts. Brands see the kind and the masked end.'),
    partner_of: z.array(
      z.object({
        program_id: z.int(),
        partner_id: z.int(),
        status: z.enum(MEMBERSHIP_STATUSES),
        name: z.string(),
        domain: z.string(),
        commission: z.string().describe('Readable description, such as `20% per sale`.'),
        earnings,
        commission_type: z.enum(COMMISSION_TYPE_NAMES),
        commission_rate: z.number(),
        commission_base: z.enum(COMMISSION_BASE_NAMES),
        attribution: z
          .enum(ATTRIBUTION_NAMES)
          .describe('Whether the first or the last click of a visitor is credited.'),
        currency: z.string(),
        recurring_months: z.int().nullable(),
        cookie_window_days: z.int(),
        hold_days: z.int().describe('How long a new commission is on hold before it is approved.'),
        program_status: z.enum(PROGRAM_STATUSES),
        contact_email: z.string().nullable(),
        contact_url: z.string().nullable(),
        link_base: z.string().describe('A referral link is this followed by its `short_link`.'),
        account_changed_at: z.iso
          .datetime()
          .nullable()
          .describe('When this account took the partner over from another one; null if it never did.'),
        account_change_pending: z
          .boolean()
          .describe('Whether the brand has invited another account to take the partner over.'),
      }),
    ),
    handed_over: z
      .array(z.object({ workspace: z.string(), at: z.iso.datetime() }))
      .describe('Brands that have handed this account’s partner over to another account.'),
  }),
);

export const manageMe = defineRoute({
  ...managed,
  id: 'manageMe',
  method: 'GET',
  path: `${MANAGE}/me`,
  summary: 'Get the signed-in account',
  description: 'The account, its workspace and role, and the programs it is a partner in.',
  reply: me,
  statuses: [401],
});

const MOVED = 'payout_details is no longer used. Set your payout method with PUT /api/v1/manage/me/payout-method.';

export const manageUpdateMe = defineRoute({
  ...managed,
  id: 'manageUpdateMe',
  proof: { none: 'A name gives no access.' },
  method: 'PATCH',
  path: `${MANAGE}/me`,
  summary: 'Update your profile',
  description: 'Only the fields that are sent change.',
  // A page of an earlier release that is still open must not say that it saved them.
  precheck: ({ payout_details: details }) =>
    details === undefined ? null : { message: MOVED, field: 'payout_details' },
  body: z.object({ name: personName.optional() }),
  reply: me,
  statuses: [400, 401, 403],
});

export const manageApplications = defineRoute({
  ...managed,
  id: 'manageApplications',
  method: 'GET',
  path: `${MANAGE}/me/applications`,
  summary: 'List what you answered and accepted as a partner',
  description:
    'For each program that you are or were a partner of, newest first: your answers on the join page, and the agreements that you accepted, with their text.',
  reply: one(
    z.array(
      z.object({
        program_id: z.int(),
        name: z.string(),
        status: z.enum(MEMBERSHIP_STATUSES),
        created_at: z.iso.datetime().describe('When you applied, joined or were added.'),
        answers: z.array(z.object({ question: z.string(), answer: z.string() })),
        agreements: z
          .array(z.object({ version: z.int(), text: z.string(), accepted_at: z.iso.datetime() }))
          .describe('Newest first. Acceptances of other accounts that were this partner before are not included.'),
      }),
    ),
  ),
  statuses: [401],
});

export const manageLogout = defineRoute({
  ...managed,
  id: 'manageLogout',
  proof: { none: 'It only ends access.' },
  method: 'POST',
  path: `${MANAGE}/logout`,
  summary: 'Revoke the account token in use',
  description: 'To end a browser session, call `/api/auth/sign-out` instead.',
  reply: one(z.object({})),
  statuses: [401],
});

export const managePrograms = defineRoute({
  ...managed,
  id: 'managePrograms',
  method: 'GET',
  path: `${MANAGE}/programs`,
  summary: 'List your programs',
  description: 'Programs of your workspace, and programs you are a partner in.',
  reply: one(
    z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        domain: z.string(),
        role,
        commission: z.string(),
        status: z.enum(PROGRAM_STATUSES),
        brand_color: z.string().nullable(),
        logo_url: z.string().nullable(),
      }),
    ),
  ),
  statuses: [401],
});
