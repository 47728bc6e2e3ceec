import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';
import {
  additionalData,
  amountCents,
  couponCode,
  currency,
  customerKey,
  jsonArray,
  optionalIdentifier,
  partCents,
  transactionId,
} from '../values/fields.ts';
import { customerCredit } from './customer-credit.ts';

const TRANSACTION_ID = transactionId('transaction_id is required and must be a string');
const AMOUNT_CENTS = amountCents('amount_cents is required and must be a positive integer');

/**
 * What a caller may add about a sale. Each field is optional, does not change the commission, and is stored in the column
 * of its name. CONTRIBUTING.md lists what else a new field needs.
 */
export const saleDetails = {
  subscription_id: optionalIdentifier('subscription_id'),
  subscription_interval: z
    .enum(['monthly', 'quarterly', 'annual'], {
      error: 'subscription_interval must be monthly, quarterly or annual',
    })
    .optional(),
  product_id: optionalIdentifier('product_id'),
  line_items: jsonArray('line_items').optional(),
};

const detailsSchema = z.object(saleDetails);
export type SaleDetails = z.output<typeof detailsSchema>;

const fields = {
  customer_key: customerKey,
  click_id: optionalIdentifier('click_id'),
  currency: currency.default('USD'),
  tax_cents: partCents('tax_cents').describe(
    'The tax included in `amount_cents`; programs that pay on net amounts exclude it.',
  ),
  shipping_cents: partCents('shipping_cents').describe(
    'The shipping included in `amount_cents`; programs that pay on net amounts exclude it.',
  ),
  sale_type: z
    .enum(['payment', 'subscription'], { error: 'sale_type must be payment or subscription' })
    .default('payment'),
  is_recurring: z
    .boolean({ error: 'is_recurring must be a boolean' })
    .default(false)
    .describe('True for subscription renewals.'),
  coupon_code: couponCode.describe(
    'The coupon that the customer used. It credits its partner without a click; codes that the program does not know are ignored.',
  ),
  ...saleDetails,
  additional_data: additionalData,
};

/** The amount of a test sale that is sent without one. */
export const TEST_AMOUNT_CENTS = 100;

type Amounts = { amount_cents?: number; tax_cents?: number; shipping_cents?: number };

function isWithinAmount({
  amount_cents: amount = TEST_AMOUNT_CENTS,
  tax_cents: tax = 0,
  shipping_cents: shipping = 0,
}: Amounts) {
  return tax + shipping <= amount;
}

const PARTS = { error: 'tax_cents and shipping_cents together must be at most amount_cents' };

const body = z
  .object({
    transaction_id: TRANSACTION_ID.describe(
      'Unique across all programs; in test mode, within the program and apart from real ones. A repeated one returns 409.',
    ),
    amount_cents: AMOUNT_CENTS.describe('What the customer paid, in the smallest currency unit: 49.00 USD is 4900.'),
    ...fields,
  })
  .refine(isWithinAmount, PARTS);

const testBody = z
  .object({
    transaction_id: TRANSACTION_ID.optional(),
    amount_cents: AMOUNT_CENTS.optional(),
    ...fields,
  })
  .refine(isWithinAmount, PARTS);

export type SaleBody = z.infer<typeof testBody>;

export const trackSale = defineRoute({
  id: 'trackSale',
  method: 'POST',
  path: '/api/v1/track/sale',
  summary: 'Record a sale and create its commission',
  description:
    'Call this from your backend only. It is safe to resend with the same `transaction_id`: a recorded sale returns 409.',
  auth: 'program-key',
  bucket: 'sale',
  attempt: 'sale',
  body,
  example: { transaction_id: 'order_1001', customer_key: 'user_42', amount_cents: 4900, currency: 'USD' },
  replyExample: {
    data: {
      sale_id: 1,
      commission_id: 1,
      attributed: true,
      commission_cents: 980,
      currency: 'USD',
      message: 'Sale tracked successfully',
    },
    success: true,
  },
  testBody,
  reply: z.object({
    success: z.literal(true),
    message: z.string().optional().describe('Only in test mode.'),
    data: z.object({
      sale_id: z.int().nullable(),
      commission_id: z.int().nullable(),
      attributed: z.boolean(),
      commission_cents: z.int().optional(),
      currency: z.string().optional().describe('The currency of `commission_cents`.'),
      message: z.string().optional(),
      customer_credit: customerCredit,
      reason: z.string().optional().describe('Why the sale was not attributed.'),
      click_age_days: z.number().optional(),
      window_days: z.int().optional(),
      eventId: z.int().optional().describe('Only in test mode, like the two below.'),
      programId: z.int().optional(),
      test_mode: z.literal(true).optional(),
    }),
  }),
  fail: () => errors.internal('Sale tracking failed'),
  statuses: [400, 401, 403, 409],
});
