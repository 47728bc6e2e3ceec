import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { boundedText, readByOthers, withoutWebAddress } from '../values/fields.ts';
import {
  MAX_MESSAGE_CHARS,
  MAX_SUBJECT_CHARS,
  MESSAGE_OUTCOMES,
  type MessageOutcome,
  TEST_MESSAGES_PER_DAY,
} from '../values/messages.ts';
import { listed, listQuery, managed, many, one, PROGRAM, requiredTogether } from './route.ts';

const MESSAGES = `${PROGRAM}/messages`;

const outcome = z.enum(Object.keys(MESSAGE_OUTCOMES) as [MessageOutcome, ...MessageOutcome[]]);

/** What a message says. Web addresses are refused: mail programs would turn them into links that nobody has checked. */
export const messageTexts = {
  subject: readByOthers(
    boundedText('subject', MAX_SUBJECT_CHARS).trim().min(1, { error: 'subject must not be empty' }),
    'subject',
  ),
  text: withoutWebAddress(
    'text',
    boundedText('text', MAX_MESSAGE_CHARS).trim().min(1, { error: 'text must not be empty' }),
  ).describe('Plain text. `{name}` and `{link}` stand for the partner’s name and link.'),
};

const message = z.object({
  id: z.int(),
  subject: z.string(),
  text: z.string(),
  sent_by: z.string().nullable().describe('The name of the user; null when the account is gone.'),
  total: z.int().describe('How many partners were selected.'),
  outcomes: z
    .array(z.object({ outcome, count: z.int() }))
    .describe('What became of it, as far as the service has come: `queued`, or why partners do not get it.'),
  created_at: z.iso.datetime(),
});
z.globalRegistry.add(message, { id: 'PartnerMessage' });
export type MessageRow = z.input<typeof message>;

export const manageMessages = defineRoute({
  ...listed,
  id: 'manageMessages',
  path: MESSAGES,
  summary: 'List messages to partners',
  description: 'Newest first, with what became of them. `POST /bulk-actions/message-partners` sends one.',
  query: z.object(listQuery),
  reply: many(message),
});

export const messageRecipient = z.object({
  partner_id: z.int(),
  partner_name: z.string(),
  outcome,
});
export type MessageRecipient = z.input<typeof messageRecipient>;

export const manageMessageRecipients = defineRoute({
  ...listed,
  id: 'manageMessageRecipients',
  path: `${MESSAGES}/:message_id/recipients`,
  summary: 'List what became of a message, partner by partner',
  description: 'Those whose turn has come, by the id of the partner.',
  query: z.object(listQuery),
  reply: many(messageRecipient),
});

export const manageTestMessage = defineRoute({
  ...managed,
  id: 'manageTestMessage',
  proof: { none: 'It only mails the caller.' },
  method: 'POST',
  path: `${MESSAGES}/test`,
  summary: 'Send a message to yourself',
  description: `As partners would get it, with made-up values for \`{name}\` and \`{link}\`. At most ${TEST_MESSAGES_PER_DAY} a day, to the confirmed address of the account.`,
  role: 'member',
  precheck: requiredTogether('subject and text are required', 'subject', 'text'),
  body: z.object(messageTexts),
  example: { subject: 'New landing page', text: 'Hello {name},\n\nour new page converts better: {link}' },
  reply: one(z.object({ sent_to: z.string().describe('Your own address.') })),
  statuses: [400, 401, 403, 404, 409, 429],
});
