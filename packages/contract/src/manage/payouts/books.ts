import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { BOOK_ACCOUNTS, type BookAccount } from '../../values/book-accounts.ts';
import { sumCents } from '../../values/fields.ts';
import { idFilter, listed, one, PROGRAM } from '../route.ts';

const ACCOUNT_NAMES = Object.keys(BOOK_ACCOUNTS) as [BookAccount, ...BookAccount[]];

const difference = z.object({
  partner_id: z.int().nullable().describe('Null for credits of customers.'),
  currency: z.string(),
  pending_cents: sumCents,
  payable_cents: sumCents,
  in_payouts_cents: sumCents,
  paid_cents: sumCents,
  credits_cents: sumCents,
});
export type BookDifference = z.input<typeof difference>;

export const manageBooks = defineRoute({
  ...listed,
  id: 'manageBooks',
  role: 'finance',
  path: `${PROGRAM}/books`,
  summary: 'Get the books',
  description:
    'The balance of every account by currency: what was debited less what was credited, so that they add up to zero in each ' +
    'currency. Once a day, the books are compared with commissions, payouts and credits.',
  query: z.object({ partner_id: idFilter('partner_id').describe('Only the accounts of this partner.') }),
  reply: one(
    z.object({
      opened_at: z.iso
        .datetime()
        .nullable()
        .describe('Since when they are complete; null until a day after the upgrade to a release with books.'),
      accounts: z.array(z.object({ account: z.enum(ACCOUNT_NAMES), currency: z.string(), balance_cents: sumCents })),
      last_proof: z
        .object({
          at: z.iso.datetime(),
          agrees: z.boolean(),
          differences: z.array(difference).describe('How much is missing in the books, at most 100 rows.'),
        })
        .nullable(),
    }),
  ),
});

const exported = { ...listed, role: 'finance', reply: z.string(), statuses: [401, 404] } as const;

export const manageExportBeancount = defineRoute({
  ...exported,
  id: 'manageExportBeancount',
  path: `${PROGRAM}/export/books.beancount`,
  summary: 'Export the books for Beancount',
  description: 'Every transaction since the books were opened, with balance assertions at the end.',
  replyType: 'text/plain',
});

export const manageExportJournal = defineRoute({
  ...exported,
  id: 'manageExportJournal',
  path: `${PROGRAM}/export/books.journal`,
  summary: 'Export the books for hledger',
  description: 'Every transaction since the books were opened, with balance assertions at the end.',
  replyType: 'text/plain',
});
