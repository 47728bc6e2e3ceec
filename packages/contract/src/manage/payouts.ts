import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { currency, optionalIdentifier } from '../values/fields.ts';
import { choice, idFilter, listed, listQuery, managed, many, one, PROGRAM } from './route.ts';

const id = z.int();
const time = z.iso.datetime();

export const PAYOUT_STATUSES = ['open', 'paid', 'cancelled'] as const;

export const manageBalances = defineRoute({
  ...listed,
  id: 'manageBalances',
  path: `${PROGRAM}/balances`,
  summary: 'List what partners have coming, by partner and currency',
  description: 'A partner sees their own. Where a refund came after the payment, `carried_cents` is below zero.',
  query: z.object({ ...listQuery, partner_id: idFilter('partner_id') }),
  reply: many(
    z.object({
      partner_id: id,
      partner_name: z.string(),
      payout_details: z.string().nullable(),
      currency: z.string(),
      approved_cents: z.int().describe('Approved and in no payout yet.'),
      carried_cents: z.int().describe('Taken back after it was paid or put into a payout; zero or below.'),
      pending_cents: z.int().describe('On hold.'),
      payable_cents: z.int().describe('What a payout would be made of now; never below zero.'),
    }),
  ),
});

export const manageEarnings = defineRoute({
  ...listed,
  id: 'manageEarnings',
  path: `${PROGRAM}/earnings`,
  summary: 'Tell what was earned, by currency',
  description: 'A partner sees their own earnings; the brand those of all partners, or of one.',
  query: z.object({ partner_id: idFilter('partner_id') }),
  reply: one(
    z.array(
      z.object({
        currency: z.string(),
        pending_cents: z.int().describe('On hold.'),
        approved_cents: z.int().describe('Approved and in no payout yet.'),
        in_payouts_cents: z.int().describe('In payouts that are still open.'),
        paid_cents: z.int().describe('In payouts that were paid.'),
        reversed_cents: z.int().describe('Taken back because of refunds.'),
        carried_cents: z.int().describe('Taken back after it was paid or put into a payout; zero or below.'),
        payable_cents: z.int(),
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
  description: 'Newest first. A partner sees their own.',
  query: z.object({ ...listQuery, ...payoutFilters }),
  reply: many(payout),
});

export const MAX_PAYOUTS_AT_ONCE = 200;

export const manageMakePayouts = defineRoute({
  ...managed,
  id: 'manageMakePayouts',
  method: 'POST',
  path: `${PROGRAM}/payouts`,
  summary: 'Make payouts of what is payable',
  description: `One for each partner and currency with a balance above zero, at most ${MAX_PAYOUTS_AT_ONCE} at once; \`more\` tells to ask again.`,
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
  summary: 'Read a payout and the commissions it is made of',
  description: 'Lines are newest first; those of commissions that were taken back are below zero.',
  query: z.object(listQuery),
  reply: z.object({
    data: payout.extend({
      lines: z.array(
        z.object({
          commission_id: id,
          sale_id: id,
          transaction_id: z.string(),
          amount_cents: z.int(),
          created_at: time.describe('Of the commission.'),
        }),
      ),
    }),
    meta: z.object({ next_cursor: z.string().nullable(), limit: z.int() }),
  }),
});

const settle = {
  ...managed,
  method: 'POST',
  role: 'member',
  reply: one(payout),
  statuses: [400, 401, 404, 409],
} as const;

export const manageMarkPaid = defineRoute({
  ...settle,
  id: 'manageMarkPaid',
  path: `${PROGRAM}/payouts/:payout_id/mark-paid`,
  summary: 'Tell that a payout was paid',
  description: 'Only an open one. Its commissions become paid.',
  body: z.object({ reference: optionalIdentifier('reference').describe('The bank’s or processor’s own id for it.') }),
});

export const manageCancelPayout = defineRoute({
  ...settle,
  id: 'manageCancelPayout',
  path: `${PROGRAM}/payouts/:payout_id/cancel`,
  summary: 'Cancel a payout',
  description: 'Only an open one. What it was made of is payable again.',
});
