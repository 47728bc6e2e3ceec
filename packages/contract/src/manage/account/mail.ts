import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { identifier } from '../../values/fields.ts';
import { OPTIONAL_MAIL_KINDS } from '../../values/mail-kinds.ts';
import { MANAGE, managed, one } from '../route.ts';
import { email } from '../team/invitations.ts';

const mailSettings = one(
  z.object({
    sends_mail: z.boolean().describe('Whether the installation sends mail at all.'),
    kinds: z.array(
      z.object({
        kind: z.enum(OPTIONAL_MAIL_KINDS),
        on: z.boolean(),
      }),
    ),
  }),
);

export const manageMailSettings = defineRoute({
  ...managed,
  id: 'manageMailSettings',
  method: 'GET',
  path: `${MANAGE}/me/mail`,
  summary: 'Get your mail preferences',
  description: 'The kinds of mail that can be switched off. Mails about access to accounts and keys are always sent.',
  reply: mailSettings,
  statuses: [401],
});

const KIND = `kind must be one of ${OPTIONAL_MAIL_KINDS.join(', ')}`;

export const manageUpdateMailSettings = defineRoute({
  ...managed,
  id: 'manageUpdateMailSettings',
  proof: { none: 'It can be undone.' },
  method: 'PATCH',
  path: `${MANAGE}/me/mail`,
  summary: 'Switch a kind of mail on or off',
  description: 'Applies to emails that have not been sent yet, too.',
  body: z.object({
    kind: z.enum(OPTIONAL_MAIL_KINDS, { error: KIND }),
    on: z.boolean({ error: 'on must be true or false' }),
  }),
  reply: mailSettings,
  statuses: [400, 401],
});

export const manageUnsubscribe = defineRoute({
  id: 'manageUnsubscribe',
  method: 'POST',
  path: `${MANAGE}/mail/unsubscribe`,
  summary: 'Unsubscribe with the link of a mail',
  description:
    'Switches one kind of mail off for the account that the mail was for. Mail programs call it with one click (RFC 8058): the signed `token` in the query is the only credential, and the body is ignored.',
  auth: 'none',
  bucket: 'cli',
  fail: managed.fail,
  query: z.object({
    token: z.string({ error: 'token is required' }).max(500, { error: 'token must be at most 500 characters' }),
  }),
  reply: one(z.object({ kind: z.enum(OPTIONAL_MAIL_KINDS).describe('The kind that is now off.') })),
  statuses: [400, 404],
});

export const manageSendVerification = defineRoute({
  ...managed,
  id: 'manageSendVerification',
  proof: { none: 'It mails a link to the address of the account.' },
  method: 'POST',
  path: `${MANAGE}/me/email/verification`,
  summary: 'Send a link that confirms your address',
  description: 'The link works for 24 hours. Links that were sent before stop working.',
  reply: one(z.object({})),
  statuses: [401, 409],
});

export const manageChangeEmail = defineRoute({
  ...managed,
  id: 'manageChangeEmail',
  proof: 'recent',
  method: 'POST',
  path: `${MANAGE}/me/email`,
  summary: 'Change your email address',
  description:
    'Mails a link to the new address, and one to the current address if that is confirmed. The address changes when all of them were used. The reply is the same whether or not the new address has an account.',
  body: z.object({ email }),
  reply: one(z.object({})),
  statuses: [400, 401, 409],
});

export const manageConfirmEmail = defineRoute({
  ...managed,
  id: 'manageConfirmEmail',
  proof: { none: 'The link that was mailed is the proof.' },
  namesLink: true,
  method: 'POST',
  path: `${MANAGE}/me/email/confirm`,
  summary: 'Confirm an address with a mailed link',
  description: 'For the account that the link was created for. It works once.',
  body: z.object({ token: identifier('token').min(1, { error: 'token is required' }) }),
  reply: one(
    z.object({
      status: z
        .enum(['verified', 'waiting', 'changed'])
        .describe('`waiting` until the other address has confirmed the change as well.'),
    }),
  ),
  statuses: [400, 401, 404, 409],
});
