import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';
import { additionalData, optionalIdentifier, text, transactionId } from '../values/fields.ts';

const REFUND_AMOUNT = 'refund_amount_cents must be a whole number of cents, 0 or more';

const body = z.object({
  transaction_id: transactionId('transaction_id is required').describe('The id of the original sale.'),
  refund_amount_cents: z
    .int({ error: REFUND_AMOUNT })
    .nonnegative({ error: REFUND_AMOUNT })
    .optional()
    .describe('If absent or 0, refunds everything that is left.'),
  refund_reason: text('refund_reason').optional(),
  refund_id: optionalIdentifier('refund_id').describe(
    'Your own id for the refund. It makes a partial refund safe to resend.',
  ),
  additional_data: additionalData,
});

export type RefundBody = z.infer<typeof body>;

export const trackRefund = defineRoute({
  id: 'trackRefund',
  method: 'POST',
  path: '/api/v1/track/refund',
  summary: 'Refund a sale in part or in full',
  description: 'The commission is reversed proportionally, exact to the cent over any series of partial refunds.',
  auth: 'program-key',
  bucket: 'sale',
  attempt: 'refund',
  body,
  example: { transaction_id: 'order_1001', refund_amount_cents: 1000, refund_id: 'refund_1' },
  replyExample: {
    data: {
      refund_id: 'refund_1',
      sale_id: 1,
      commission_id: 1,
      status: 'partially_reversed',
      refunded_cents: 1000,
      deduction_cents: 200,
      currency: 'USD',
    },
    success: true,
  },
  reply: z.object({
    success: z.literal(true),
    data: z.object({
      refund_id: z.string(),
      sale_id: z.int(),
      commission_id: z.int().nullable(),
      status: z.enum(['reversed', 'partially_reversed', 'no_commission', 'already_refunded']),
      refunded_cents: z.int(),
      deduction_cents: z.int(),
      currency: z.string(),
    }),
  }),
  // Unlike on sales, an empty token is answered like an unknown one.
  refuseKey: (problem) => errors.programKey(problem === 'empty' ? 'unknown' : problem),
  fail: () => errors.internal('Refund tracking failed'),
  statuses: [400, 401, 404],
});
