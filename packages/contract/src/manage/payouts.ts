import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { currency, optionalIdentifier, sumCents } from '../values/fields.ts';
import { choice, idFilter, listed, listQuery, managed, many, one, PROGRAM } from './route.ts';

const id = z.int();
const time = z.iso.datetime();

export const PAYOUT_STATUSES = ['open', 'paid', 'cancelled'] as const;

export const manageBalances = defineRoute({
  ...listed,
  id: 'manageBalances',
  path: `${PROGRAM}/balances`,
  summary: 'List balances by partner and currency',
  description:
    'Partners see only their own. `carried_cents` is negative when a sale was refunded after its commission was paid.',
  query: z.object({ ...listQuery, partner_id: idFilter('partner_id') }),
  reply: many(
    z.object({
      partner_id: id,
      partner_name: z.string(),
      payout_details: z.string().nullable(),
      account_changed_at: time.nullable().describe('When the partner was handed over to another account.'),
      currency: z.string(),
      approved_cents: sumCents.describe('Approved and not in a payout yet.'),
      carried_cents: sumCents.describe('Reversed after it was paid or put into a payout; zero or negative.'),
      pending_cents: sumCents.describe('On hold.'),
      payable_cents: sumCents.describe('What a payout created now would amount to; never negative.'),
    }),
  ),
});

export const manageEarnings = defineRoute({
  ...listed,
  id: 'manageEarnings',
  path: `${PROGRAM}/earnings`,
  summary: 'Get earnings by currency',
  description: 'Partners see their own earnings. The brand sees those of all partners or of one.',
  query: z.object({ partner_id: idFilter('partner_id') }),
  reply: one(
    z.array(
      z.object({
        currency: z.string(),
        pending_cents: sumCents.describe('On hold.'),
        approved_cents: sumCents.describe('Approved and not in a payout yet.'),
        in_payouts_cents: sumCents.describe('In open payouts.'),
        paid_cents: sumCents.describe('In paid payouts.'),
        reversed_cents: sumCents.describe('Reversed by refunds.'),
        carried_cents: sumCents.describe('Reversed after it was paid or put into a payout; zero or negative.'),
        payable_cents: sumCents,
      }),
    ),
  ),
});

const payout = z.object({
  id,
  partner_id: id,
  partner_name: z.string(),
  partner_email: z.string(),
  payout_details: z.string().nullable(),
  account_changed_at: time.nullable().describe('When the partner was handed over to another account.'),
  currency: z.string(),
  amount_cents: z.int(),
  status: z.enum(PAYOUT_STATUSES),
  reference: z.string().nullable(),
  created_at: time,
  paid_at: time.nullable(),
  cancelled_at: time.nullable(),
});

export const payoutFilters = {
  status: choice('status', PAYOUT_STATUSES),
  partner_id: idFilter('partner_id'),
};

export const managePayouts = defineRoute({
  ...listed,
  id: 'managePayouts',
  path: `${PROGRAM}/payouts`,
  summary: 'List payouts',
  description: 'Newest first. Partners see only their own.',
  query: z.object({ ...listQuery, ...payoutFilters }),
  reply: many(payout),
});

export const MAX_PAYOUTS_AT_ONCE = 200;

export const manageMakePayouts = defineRoute({
  ...managed,
  id: 'manageMakePayouts',
  method: 'POST',
  path: `${PROGRAM}/payouts`,
  summary: 'Create payouts',
  description: `One for each partner and currency with a positive balance, up to ${MAX_PAYOUTS_AT_ONCE} per request. If \`more\` is true, send the request again.`,
  role: 'member',
  success: 201,
  body: z.object({
    partner_id: z
      .int({ error: 'partner_id must be a whole number' })
      .positive({ error: 'partner_id must be a whole number' })
      .optional(),
    currency: currency.optional(),
  }),
  reply: z.object({ data: z.array(payout), meta: z.object({ more: z.boolean() }) }),
  statuses: [400, 401, 404],
});

export const managePayout = defineRoute({
  ...listed,
  id: 'managePayout',
  path: `${PROGRAM}/payouts/:payout_id`,
  summary: 'Get a payout with its commissions',
  description: 'Lines are newest first. Lines for reversed commissions are negative.',
  query: z.object(listQuery),
  reply: z.object({
    data: payout.extend({
      lines: z.array(
        z.object({
          commission_id: id,
          sale_id: id,
          transaction_id: z.string(),
          amount_cents: z.int(),
          created_at: time.describe('When the commission was created.'),
        }),
      ),
    }),
    meta: z.object({ next_cursor: z.string().nullable(), limit: z.int() }),
  }),
});

const close = {
  ...managed,
  method: 'POST',
  role: 'member',
  reply: one(payout),
  statuses: [400, 401, 404, 409],
} as const;

export const manageMarkPaid = defineRoute({
  ...close,
  id: 'manageMarkPaid',
  path: `${PROGRAM}/payouts/:payout_id/mark-paid`,
  summary: 'Mark a payout as paid',
  description: 'Only open payouts. Its commissions become paid.',
  body: z.object({ reference: optionalIdentifier('reference').describe('Reference of the bank transfer or payment.') }),
});

export const manageCancelPayout = defineRoute({
  ...close,
  id: 'manageCancelPayout',
  path: `${PROGRAM}/payouts/:payout_id/cancel`,
  summary: 'Cancel a payout',
  description: 'Only open payouts. Its commissions become payable again.',
});
