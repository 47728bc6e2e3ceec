import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { MANUAL_KINDS } from '../../values/commission-kinds.ts';
import { currency } from '../../values/fields.ts';
import { commissionRow } from '../commissions.ts';
import { managed, one, PROGRAM, partnerId, requiredReason } from '../route.ts';

const AMOUNT = 'amount_cents must be a whole number of cents, not 0';
const KIND = `kind must be one of ${MANUAL_KINDS.join(', ')}`;

export const manageAddAdjustment = defineRoute({
  ...managed,
  id: 'manageAddAdjustment',
  proof: 'recent',
  method: 'POST',
  path: `${PROGRAM}/adjustments`,
  summary: 'Give a partner a bonus, or adjust what they earned',
  description:
    'It is a commission without a sale, approved at once. A negative amount is deducted from the next payout. Until it is in a ' +
    'payout, it can be rejected, and the rejection undone, like any commission. The partner sees the reason, and is mailed it.',
  role: 'finance',
  success: 201,
  body: z
    .object({
      partner_id: partnerId,
      amount_cents: z
        .int({ error: AMOUNT })
        .refine((cents) => cents !== 0, { error: AMOUNT })
        .describe('In the smallest unit of `currency`; negative to take something away.'),
      currency,
      reason: requiredReason.describe('In words for the partner.'),
      kind: z
        .enum(MANUAL_KINDS, { error: KIND })
        .optional()
        .describe('By default, a positive amount is a `bonus` and a negative one an `adjustment`.'),
    })
    .refine(({ kind, amount_cents: cents }) => kind !== 'bonus' || cents > 0, {
      error: 'amount_cents of a bonus must be above 0',
    }),
  reply: one(commissionRow),
  statuses: [400, 401, 404],
});
