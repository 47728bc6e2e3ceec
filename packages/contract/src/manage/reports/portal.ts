import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { boundedText, identifier, sumCents } from '../../values/fields.ts';
import { MAX_TEXT_CHARS } from '../../values/limits.ts';
import { COMMISSION_STATUSES } from '../commissions.ts';
import { idFilter, managed, one, PROGRAM, shared } from '../route.ts';

const time = z.iso.datetime();

/** What keeps a partner from being paid, and what to do about it. */
export const OBSTACLES = [
  'not_active',
  'no_method',
  'method_held',
  'currency_not_payable',
  'country_not_payable',
  'below_minimum',
] as const;

const obstacle = z.object({
  reason: z.enum(OBSTACLES),
  until: time.nullable().describe('With `method_held`: when it ends.'),
  missing_cents: z.int().nullable().describe('With `below_minimum`: how much is missing.'),
});
export type Obstacle = z.input<typeof obstacle>;

export const manageUpcoming = defineRoute({
  ...shared,
  id: 'manageUpcoming',
  path: `${PROGRAM}/upcoming`,
  summary: 'Get what the next payouts will contain',
  description:
    'By currency: what is payable now, and when commissions on hold are approved if nothing is refunded. Partners see their own. With a schedule, `next_payout_at` says when the brand prepares payouts; otherwise there is no payout day.',
  query: z.object({ partner_id: idFilter('partner_id') }),
  reply: one(
    z.array(
      z.object({
        currency: z.string(),
        payable_cents: sumCents.describe('What a payout created now would amount to; never negative.'),
        carried_cents: sumCents.describe('Deducted from it for refunds of paid commissions; zero or negative.'),
        in_payouts_cents: sumCents.describe('In open payouts, which the brand has not marked as paid.'),
        in_review_cents: sumCents.describe('Held until the brand has reviewed it; no date is known.'),
        approvals: z
          .array(z.object({ on: z.iso.date().describe('In UTC.'), amount_cents: sumCents }))
          .describe('Commissions on hold by the day on which the hold ends. At most 12 days.'),
        later_cents: sumCents.describe('On hold beyond those days.'),
        next_payout_at: time.nullable().describe('When the brand prepares the next payouts. Null without a schedule.'),
        minimum_cents: z.int().describe('The smallest payout.'),
        obstacle: obstacle.nullable().describe('What stands in the way of being paid. Null for the whole program.'),
      }),
    ),
  ),
});

/** How many questions about orders a partner may ask on one day, in UTC. */
export const QUESTIONS_PER_DAY = 50;

export const ANSWERS = [
  'credited',
  'recorded_without_commission',
  'window_expired',
  'not_recorded',
  'credited_to_another',
  'not_yours',
  'no_order_yet',
  'unknown',
] as const;

const answer = z.object({
  answer: z.enum(ANSWERS),
  sentence: z.string(),
  transaction_id: z.string().nullable(),
  paid_at: time.nullable(),
  amount_cents: z.int().nullable(),
  refunded_cents: z.int().nullable(),
  currency: z.string().nullable(),
  commission: z
    .object({
      status: z.enum(COMMISSION_STATUSES),
      amount_cents: z.int().describe('After deductions.'),
      currency: z.string(),
      terms: z.string().nullable().describe('What it was paid for, in words.'),
      approved_on: z.iso.date().nullable().describe('When the hold ends, while it is on hold.'),
    })
    .nullable(),
  click_age_days: z
    .int()
    .nullable()
    .describe('Whole days from the click to the signup, or to the payment if nobody signed up. Rounded up.'),
  window_days: z.int().nullable(),
});

export const manageAskAboutOrder = defineRoute({
  ...managed,
  id: 'manageAskAboutOrder',
  proof: { none: 'It only counts the question.' },
  method: 'POST',
  path: `${PROGRAM}/questions`,
  summary: 'Ask about an order',
  description: `Whether the order, or the orders of the customer with this email address, are credited to the partner, and why not. Says nothing about other partners and their customers. An address is looked up only among people who clicked the partner’s links. At most ${QUESTIONS_PER_DAY} questions a day.`,
  role: 'viewer',
  partners: true,
  precheck: ({ transaction_id, email }) =>
    [transaction_id, email].every((value) => value === undefined || value === null || value === '')
      ? { message: 'transaction_id or email is required', field: 'transaction_id' }
      : null,
  body: z.object({
    transaction_id: identifier('transaction_id').trim().optional(),
    email: boundedText('email', MAX_TEXT_CHARS).trim().optional().describe('Not used if there is a `transaction_id`.'),
    partner_id: z
      .int({ error: 'partner_id is required' })
      .optional()
      .describe('Required unless the caller is the partner. The brand gets the answer that this partner would get.'),
  }),
  reply: one(z.object({ answers: z.array(answer), questions_left: z.int().nullable() })),
  statuses: [400, 401, 404, 429],
});
