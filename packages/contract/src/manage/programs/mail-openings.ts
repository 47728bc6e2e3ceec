import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { boundedText, withoutWebAddress } from '../../values/fields.ts';
import { MAX_OPENING_CHARS, OPENED_MAILS } from '../../values/mail-openings.ts';
import { TEST_MESSAGES_PER_DAY } from '../../values/messages.ts';
import { managed, one, PROGRAM, requiredTogether } from '../route.ts';

const OPENINGS = `${PROGRAM}/mail-openings`;

const openings = z.object({
  invitation: z.string().nullable().describe('Of the mail that invites a partner.'),
  welcome: z.string().nullable().describe('Of the mail that approves an applicant.'),
});
z.globalRegistry.add(openings, { id: 'MailOpenings' });

/** Plain text of a few lines; empty means none. */
const opening = (field: string) =>
  withoutWebAddress(field, boundedText(field, MAX_OPENING_CHARS)).transform((value) => value.trim() || null);

export const manageMailOpenings = defineRoute({
  ...managed,
  id: 'manageMailOpenings',
  method: 'GET',
  path: OPENINGS,
  summary: 'Get the opening paragraphs of mails',
  description: 'Your own words at the beginning of the mails that invite and welcome partners.',
  role: 'viewer',
  reply: one(openings),
  statuses: [401, 404],
});

export const manageUpdateMailOpenings = defineRoute({
  ...managed,
  id: 'manageUpdateMailOpenings',
  proof: { none: 'It can be undone.' },
  method: 'PATCH',
  path: OPENINGS,
  summary: 'Change the opening paragraphs of mails',
  description: 'Plain text without web addresses. Only the fields that are sent change; null or empty removes one.',
  role: 'member',
  keepsNull: ['invitation', 'welcome'],
  body: z.object({
    invitation: opening('invitation').nullable().optional(),
    welcome: opening('welcome').nullable().optional(),
  }),
  reply: one(openings),
  statuses: [400, 401, 404],
});

const MAIL = `mail must be ${OPENED_MAILS.join(' or ')}`;
const draft = {
  mail: z.enum(OPENED_MAILS, { error: MAIL }),
  opening: opening('opening').optional(),
};

export const managePreviewMail = defineRoute({
  ...managed,
  id: 'managePreviewMail',
  proof: { none: 'It changes nothing.' },
  method: 'POST',
  path: `${OPENINGS}/preview`,
  summary: 'Preview a mail with an opening paragraph',
  description: 'The whole mail as a made-up partner would get it.',
  role: 'member',
  precheck: requiredTogether(MAIL, 'mail'),
  body: z.object(draft),
  reply: one(z.object({ subject: z.string(), paragraphs: z.array(z.string()), action: z.string().nullable() })),
  statuses: [400, 401, 404],
});

export const manageTestMail = defineRoute({
  ...managed,
  id: 'manageTestMail',
  proof: { none: 'It only mails the caller.' },
  method: 'POST',
  path: `${OPENINGS}/test`,
  summary: 'Send a mail with an opening paragraph to yourself',
  description: `To the confirmed address of the account, at most ${TEST_MESSAGES_PER_DAY} tests a day. Its button leads nowhere.`,
  role: 'member',
  precheck: requiredTogether(MAIL, 'mail'),
  body: z.object(draft),
  reply: one(z.object({ sent_to: z.string().describe('Your own address.') })),
  statuses: [400, 401, 403, 404, 409, 429],
});
