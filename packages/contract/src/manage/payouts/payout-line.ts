import { z } from 'zod';
import { commissionRow } from '../commissions.ts';

const time = z.iso.datetime();

/** What a payout pays for one commission, and how the amount comes about. */
export const payoutLine = z.object({
  commission_id: commissionRow.shape.id,
  ...commissionRow.pick({
    kind: true,
    reason: true,
    sale_id: true,
    transaction_id: true,
    customer_id: true,
    customer_key: true,
    sale_cents: true,
    sale_currency: true,
  }).shape,
  sale_at: time.nullable().describe('When the sale was made.'),
  ...commissionRow.pick({ base_cents: true, terms_version: true, rule: true, terms: true }).shape,
  commission_cents: z.int().describe('What the commission came to before refunds.'),
  deducted_cents: z.int().describe('What refunds had taken from it when the payout was created.'),
  earlier_cents: z
    .int()
    .describe('What earlier payouts already contain of it. The line is the commission less the deduction and this.'),
  refunded_at: time.nullable().describe('When the latest refund of the sale before the payout was recorded.'),
  amount_cents: z.int(),
  created_at: time.describe('When the commission was created.'),
});
export type PayoutLine = z.input<typeof payoutLine>;
