import { z } from 'zod';
import { COMMISSION_KINDS } from '../../values/commission-kinds.ts';

const id = z.int();

/** What a payout pays for one commission. */
export const payoutLine = z.object({
  commission_id: id,
  kind: z.enum(COMMISSION_KINDS),
  reason: z.string().nullable().describe('Why a bonus or adjustment was made.'),
  sale_id: id.nullable(),
  transaction_id: z.string().nullable(),
  customer_id: id.nullable(),
  customer_key: z.string().nullable(),
  amount_cents: z.int(),
  created_at: z.iso.datetime().describe('When the commission was created.'),
});
export type PayoutLine = z.input<typeof payoutLine>;
