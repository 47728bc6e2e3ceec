import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { boundedText } from '../../values/fields.ts';
import { MANAGE, managed, one, PROGRAM } from '../route.ts';

const row = z.record(z.string(), z.unknown());
const rows = z.array(row);

export const MAX_ERASURE_REASON_CHARS = 500;

export const manageExportCustomer = defineRoute({
  ...managed,
  id: 'manageExportCustomer',
  method: 'GET',
  path: `${PROGRAM}/customers/:customer_id/export`,
  summary: 'Export everything stored about a customer',
  description:
    'For a customer who asks what is stored about them. Rows are as they are stored, newest first, at most 10,000 of a kind. ' +
    'Contents of processor events are decrypted. What partners earned is not included: it is their data.',
  role: 'member',
  reply: one(
    z.object({
      exported_at: z.iso.datetime(),
      customer: row,
      clicks: rows,
      decisions: rows,
      sales: rows,
      refunds: rows,
      credits: rows.describe('What the brand granted to the customer.'),
      visits: rows.describe('What reports know about the first visit.'),
      processor_identities: rows.describe('The payment processor’s ids of the customer.'),
      processor_events: rows,
    }),
  ),
  statuses: [401, 403, 404],
});

export const manageEraseCustomer = defineRoute({
  ...managed,
  id: 'manageEraseCustomer',
  proof: 'recent',
  method: 'POST',
  path: `${PROGRAM}/customers/:customer_id/erase`,
  summary: 'Erase a customer',
  description:
    'Removes what identifies the customer from everything that is stored: keys, email addresses, click ids, what visits said, ' +
    'ids and events of payment processors, and where people wrote about them. Sales, refunds, commissions and payouts stay, ' +
    'with their transaction ids, and are still explained by these. This cannot be undone. Erasing a customer again changes ' +
    'nothing.',
  role: 'owner',
  body: z.object({
    reason: boundedText('reason', MAX_ERASURE_REASON_CHARS)
      .transform((text) => text.trim() || undefined)
      .optional()
      .describe('Why, for the audit log. The customer’s identifiers are removed from it.'),
  }),
  reply: one(z.object({ id: z.int(), erased_at: z.iso.datetime() })),
  statuses: [400, 401, 403, 404],
});

export const manageExportMe = defineRoute({
  ...managed,
  id: 'manageExportMe',
  method: 'GET',
  path: `${MANAGE}/me/export`,
  summary: 'Export everything stored about your account',
  description: 'Without passwords and tokens. Rows are as they are stored, newest first, at most 10,000 of a kind.',
  reply: one(
    z.object({
      exported_at: z.iso.datetime(),
      account: row,
      sessions: rows,
      sign_ins: rows,
      account_tokens: rows,
      passkeys: rows,
      known_devices: rows.describe('Hashes of browser, system and network that you signed in from.'),
      unwanted_mail: rows.describe('Kinds of email that you have turned off.'),
      workspaces: rows,
      invitations: rows,
      partners: rows,
      memberships: rows,
      agreements: rows.describe('Agreements that you have accepted.'),
      payouts: rows,
      imports: rows.describe('What other tools called you as a partner.'),
      opening_balances: rows.describe('What other tools owed you and had paid you.'),
      payout_methods: rows.describe('Where you are and were paid, masked.'),
      postbacks: rows.describe('URLs that are called about your commissions as a partner.'),
      views: rows,
      activity: rows.describe('What you did, as the audit log recorded it.'),
    }),
  ),
  statuses: [401],
});
