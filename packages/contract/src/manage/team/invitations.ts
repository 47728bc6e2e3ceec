import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { COMMISSION_BASE_NAMES, COMMISSION_TYPE_NAMES } from '../../values/commission-types.ts';
import { identifier, text } from '../../values/fields.ts';
import { answers, question } from '../../values/join-page.ts';
import { ATTRIBUTION_NAMES } from '../../values/program.ts';
import { earnings } from '../../values/program-fields.ts';
import { role } from '../account/account.ts';
import { MANAGE, managed, one } from '../route.ts';
import { workspaceRole } from './team.ts';

export const email = text('email').regex(/^[^@\s]+@[^@\s]+$/, { error: 'email must be an email address' });

export const openLink = z
  .boolean({ error: 'open_link must be true or false' })
  .default(false)
  .describe('Whether any account can accept the invitation. By default only the account with this email address can.');

export const mailed = z
  .boolean()
  .describe(
    'Whether the link is mailed too. It is not if the installation sends no mail, if you have not confirmed your own address, or if the address or the workspace has had too many of these mails.',
  );

const invitation = z.object({
  id: z.int(),
  email: z.string().describe('Empty for an open link that is for nobody in particular.'),
  open_link: z.boolean(),
  role,
  expires_at: z.iso.datetime(),
});
z.globalRegistry.add(invitation, { id: 'Invitation' });

export const manageInvitations = defineRoute({
  ...managed,
  id: 'manageInvitations',
  method: 'GET',
  path: `${MANAGE}/invitations`,
  summary: 'List open workspace invitations',
  description: 'Newest first, including expired ones. Partner invitations are managed under partners.',
  role: 'owner',
  reply: one(
    z.array(
      invitation.extend({
        undeliverable: z.boolean().describe('Whether a mail server has refused the address.'),
        expired: z.boolean(),
        created_at: z.iso.datetime(),
      }),
    ),
  ),
  statuses: [401, 403],
});

export const manageInvite = defineRoute({
  ...managed,
  id: 'manageInvite',
  proof: 'recent',
  method: 'POST',
  path: `${MANAGE}/invitations`,
  summary: 'Invite someone to the workspace',
  description:
    'Send them `invite_url`. It works once, for the account with this email address, and expires after seven days, or when you stop being an owner.',
  role: 'owner',
  success: 201,
  body: z.object({ email, role: workspaceRole.default('member'), open_link: openLink }),
  reply: one(invitation.extend({ invite_url: z.string(), mailed })),
  statuses: [400, 401, 403],
});

export const manageReissueInvitation = defineRoute({
  ...managed,
  id: 'manageReissueInvitation',
  proof: 'recent',
  method: 'POST',
  path: `${MANAGE}/invitations/:invitation_id/re-issue`,
  summary: 'Create a new invitation link',
  description: 'The previous link stops working immediately. The new one works once and expires after seven days.',
  role: 'owner',
  reply: one(invitation.extend({ invite_url: z.string(), mailed })),
  statuses: [401, 403, 404],
});

export const manageRevokeInvitation = defineRoute({
  ...managed,
  id: 'manageRevokeInvitation',
  proof: { none: 'It only ends access.' },
  method: 'POST',
  path: `${MANAGE}/invitations/:invitation_id/revoke`,
  summary: 'Revoke an invitation',
  description: 'Its link stops working immediately. Accepted invitations cannot be revoked.',
  role: 'owner',
  reply: one(z.object({})),
  statuses: [401, 403, 404],
});

const token = identifier('token').min(1, { error: 'token is required' });

/** What a partner of the program gets, is asked and accepts. */
const offer = z.object({
  program_id: z.int(),
  name: z.string(),
  domain: z.string(),
  commission: z.string().describe('Readable description, such as `20% per sale`.'),
  earnings,
  commission_type: z.enum(COMMISSION_TYPE_NAMES),
  commission_rate: z.number(),
  commission_base: z.enum(COMMISSION_BASE_NAMES),
  attribution: z.enum(ATTRIBUTION_NAMES).describe('Whether the first or the last click of a visitor is credited.'),
  currency: z.string(),
  recurring_months: z.int().nullable(),
  cookie_window_days: z.int(),
  hold_days: z.int(),
  brand_color: z.string().nullable(),
  logo_url: z.string().nullable(),
  questions: z.array(question).describe('Only of a join link; invited partners are not asked.'),
  agreement: z.object({ version: z.int(), text: z.string() }).nullable(),
});

export const manageLookUpInvitation = defineRoute({
  id: 'manageLookUpInvitation',
  method: 'POST',
  path: `${MANAGE}/invitations/look-up`,
  summary: 'Look up an invitation',
  description:
    'For the page that an invited person sees before signing in. The token of an invitation or of a join link is the only credential.',
  auth: 'none',
  bucket: 'cli',
  fail: managed.fail,
  body: z.object({ token }),
  reply: one(
    z.object({
      status: z.enum(['open', 'used', 'expired']),
      role,
      email: z.string().nullable().describe('Who was invited; null for a join link.'),
      name: z.string().nullable().describe('The partner’s name, as the brand entered it.'),
      open_link: z.boolean().describe('Whether any account can accept it, and not only the one with this address.'),
      workspace: z.string(),
      programs: z.array(z.string()).describe('Names of the programs that the partner is invited to.'),
      offers: z.array(offer).describe('The same programs, with what they offer; empty for the team of a workspace.'),
      needs_approval: z.boolean().describe('Whether the brand approves new partners first.'),
      expires_at: z.iso.datetime().nullable(),
    }),
  ),
  statuses: [400, 404],
});

const AGREEMENTS = 'agreements must be a list of {program_id, version}';

const agreements = z
  .array(
    z.object(
      { program_id: z.int({ error: AGREEMENTS }), version: z.int({ error: AGREEMENTS }) },
      { error: AGREEMENTS },
    ),
    { error: AGREEMENTS },
  )
  .max(100, { error: 'agreements must be at most 100' });

export const manageAccept = defineRoute({
  ...managed,
  id: 'manageAccept',
  proof: { none: 'The invitation is the proof.' },
  method: 'POST',
  path: `${MANAGE}/invitations/accept`,
  summary: 'Accept an invitation',
  description:
    'The signed-in account joins the workspace, becomes the invited partner, or joins a program through its join link. ' +
    'Accepting a join link again changes nothing. If a program has an agreement, its current version has to be accepted ' +
    'with it; if the join page has questions, the required ones have to be answered.',
  body: z.object({
    token,
    answers: answers.optional().describe('Answers to the questions of the join page.'),
    agreements: agreements.optional().describe('The versions of the agreements that the account accepts.'),
  }),
  reply: one(
    z.object({
      role,
      advertiser_id: z.int(),
      status: z.enum(['active', 'applied']).describe('`applied` until the brand approves the partner.'),
    }),
  ),
  statuses: [400, 401, 403, 404, 409],
});
