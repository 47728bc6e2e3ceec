import { z } from 'zod';
import {
  couponCode,
  currency,
  customerKey,
  identifier,
  optionalEmail,
  optionalIdentifier,
  partCents,
  transactionId,
} from '../values/fields.ts';

const AMOUNT = 'amount_cents is required and must be a whole number, 0 or more, in the smallest unit of the currency';
const at = z.iso
  .datetime({ offset: true, error: 'at is required and must be a time in ISO 8601, such as 2026-11-17T12:00:00Z' })
  .describe('When it happened.');
const testMode = z
  .boolean({ error: 'test_mode must be true or false' })
  .optional()
  .describe('With `true`, the event is a test and counts nowhere.');

const amountCents = z.int({ error: AMOUNT }).nonnegative({ error: AMOUNT });
const taken = {
  amount_cents: amountCents,
  currency: currency.optional().describe('That of the payment if left out.'),
  tax_cents: partCents('tax_cents').describe(
    'How much of `amount_cents` is tax. If it is left out, that is the share of the tax in the payment.',
  ),
};
const isTaxPart = ({
  amount_cents: amount,
  tax_cents: tax = 0,
}: {
  amount_cents: number;
  tax_cents?: number | undefined;
}) => tax <= amount;
const TAX_PART = { error: 'tax_cents must be at most amount_cents' };
const transaction = transactionId('transaction_id is required and must be a string').describe(
  'Your id of the payment.',
);
const ownId = (field: string) => identifier(field).min(1, { error: `${field} is required` });

const payer = z
  .object(
    {
      customer_key: customerKey.describe('Your own id for the user, the same as at signup.'),
      click_id: optionalIdentifier('click_id').describe('The value of the cookie `svc_click_id`.'),
      email: optionalEmail,
      customer_id: optionalIdentifier('customer_id').describe(
        'The id of the customer at your payment processor. Later payments with it belong to the same person.',
      ),
    },
    { error: 'payer must be an object' },
  )
  .describe('Who paid. Any of these fields may be enough.');

const subscription = z
  .object(
    {
      id: ownId('subscription.id'),
      stage: z
        .enum(['start', 'renewal', 'change'], { error: 'subscription.stage must be start, renewal or change' })
        .describe('Whether this is the first payment, a renewal, or a payment for a change such as an upgrade.'),
    },
    { error: 'subscription must be an object' },
  )
  .optional();

const PARTS = { error: 'tax_cents and shipping_cents together must be at most amount_cents' };

const payment = z
  .object({
    type: z.literal('payment'),
    at,
    test_mode: testMode,
    transaction_id: transaction,
    amount_cents: amountCents,
    currency: currency.default('USD'),
    tax_cents: partCents('tax_cents').describe('The tax included in `amount_cents`.'),
    shipping_cents: partCents('shipping_cents').describe('The shipping included in `amount_cents`.'),
    subscription,
    payer: payer.default({}),
    coupon_code: couponCode,
  })
  .refine(({ amount_cents: amount, tax_cents: tax = 0, shipping_cents: rest = 0 }) => tax + rest <= amount, PARTS);

const refund = z
  .object({
    type: z.literal('refund'),
    at,
    test_mode: testMode,
    refund_id: ownId('refund_id').describe('Your id of the refund. The same one with another status replaces it.'),
    transaction_id: transaction,
    ...taken,
    status: z
      .enum(['pending', 'succeeded', 'failed'], { error: 'status must be pending, succeeded or failed' })
      .default('succeeded')
      .describe('A pending refund counts already; a failed one no longer.'),
  })
  .refine(isTaxPart, TAX_PART);

const dispute = z
  .object({
    type: z.literal('dispute'),
    at,
    test_mode: testMode,
    dispute_id: ownId('dispute_id').describe('Your id of the dispute. The same one with another status replaces it.'),
    transaction_id: transaction,
    ...taken,
    status: z
      .enum(['open', 'won', 'lost'], { error: 'status must be open, won or lost' })
      .default('open')
      .describe('An open dispute counts already; one that you won no longer.'),
  })
  .refine(isTaxPart, TAX_PART);

const identity = z
  .object({ type: z.literal('identity'), at, test_mode: testMode, payer })
  .refine(({ payer: { customer_id: id } }) => id !== undefined, { error: 'payer.customer_id is required' });

/** The types of a custom event. */
export const CUSTOM_EVENT_TYPES = ['payment', 'refund', 'dispute', 'identity'] as const;

/** An event of a shop whose payment processor has no connection of its own: the fact itself. */
export const customEvent = z.discriminatedUnion('type', [payment, refund, dispute, identity], {
  error: `type must be ${CUSTOM_EVENT_TYPES.slice(0, -1).join(', ')} or ${CUSTOM_EVENT_TYPES.at(-1)}`,
});

export type CustomEvent = z.output<typeof customEvent>;
