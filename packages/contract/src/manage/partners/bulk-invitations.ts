import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { identifier, readByOthers } from '../../values/fields.ts';
import { MAX_LARGE_BODY_BYTES } from '../../values/limits.ts';
import { MAIL_REFUSALS, type MailRefusal } from '../../values/mail-refusals.ts';
import { managed, one, PROGRAM } from '../route.ts';
import { email, mailed } from '../team/invitations.ts';

export const MAX_INVITEES = 500;

const trimmed = (field: string) => z.string({ error: `${field} is required` }).trim();

/** One row of a bulk invitation. A row that does not fit is refused by itself. */
export const invitee = z.object({
  name: trimmed('name').pipe(readByOthers(identifier('name').min(1, { error: 'name is required' }))),
  email: trimmed('email').pipe(email.max(255, { error: 'email must be at most 255 characters' })),
});

/** What became, or would become, of one row. */
export const INVITEE_OUTCOMES = {
  invited: 'A new partner, with an invite link',
  added: 'An existing partner, added without another invitation',
  already_partner: 'Already a partner: nothing changes',
  repeated: 'The same address as a row above',
  refused: 'Not invited; the message says why',
} as const;

export type InviteeOutcome = keyof typeof INVITEE_OUTCOMES;

export const mailRefusal = z
  .enum(Object.keys(MAIL_REFUSALS) as MailRefusal[])
  .nullable()
  .describe(
    `Why an invitation was not mailed. ${Object.entries(MAIL_REFUSALS)
      .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
      .join(' ')}`,
  );

const PARTNERS = `partners must be a list of 1 to ${MAX_INVITEES} objects with name and email`;

/** The rows of a bulk invitation, each judged by itself. */
export const invitees = z
  .array(z.record(z.string(), z.unknown(), { error: PARTNERS }), { error: PARTNERS })
  .min(1, { error: PARTNERS })
  .max(MAX_INVITEES, { error: PARTNERS })
  .describe('Each with `name` and `email`.');

export const outcomeOfInvitee = z.enum(Object.keys(INVITEE_OUTCOMES) as InviteeOutcome[]);

export const manageInvitePartners = defineRoute({
  ...managed,
  id: 'manageInvitePartners',
  proof: { none: 'It can be undone.' },
  method: 'POST',
  path: `${PROGRAM}/bulk/partners/invite`,
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  summary: 'Invite many partners',
  description:
    `Up to ${MAX_INVITEES} rows. Each row has its own outcome, and a bad one harms no ` +
    'other. Sending the same rows again changes nothing. Rows that were invited have an `invite_url`, which cannot be read ' +
    'again later. With `dry_run`, nothing changes and the outcomes say what would happen.',
  role: 'member',
  body: z.object({
    partners: invitees,
    dry_run: z.boolean({ error: 'dry_run must be true or false' }).default(false),
  }),
  reply: one(
    z.array(
      z.object({
        row: z.int().describe('The position in the request, from 0.'),
        outcome: outcomeOfInvitee,
        message: z.string().nullable().describe('Why the row was refused.'),
        partner_id: z.int().nullable(),
        invite_url: z.string().nullable(),
        mailed,
        mail_refusal: mailRefusal,
      }),
    ),
  ),
  statuses: [400, 401, 404],
});
