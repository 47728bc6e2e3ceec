import { z } from 'zod';
import { sumCents } from '../../values/fields.ts';

/** What a partner or a link has brought in since the beginning. */
export const numbers = z.object({
  clicks: z.int(),
  leads: z.int(),
  sales: z.int(),
  money: z.array(
    z.object({
      currency: z.string(),
      revenue_cents: sumCents.describe('All sales, including what was refunded later.'),
      commission_cents: sumCents.describe('What was earned, without what was reversed or rejected.'),
      payable_cents: sumCents.describe('What a payout created now would amount to; 0 for links.'),
    }),
  ),
});

/** Numbers as the service sends them: sums may be larger than a number can hold. */
export type SentNumbers = z.input<typeof numbers>;

/** A reply with a page of a list whose numbers are added up on request. */
export const manyWithNumbers = <Row extends z.ZodType>(row: Row) =>
  z.object({
    data: z.array(row),
    meta: z.object({
      next_cursor: z.string().nullable(),
      limit: z.int(),
      count: z.int().optional().describe('How many rows match the filters. Only with `totals=true`.'),
      totals: numbers.optional().describe('What these rows add up to. Only with `totals=true`.'),
    }),
  });

/** Amounts are compared in the currency of the program. */
export const NUMBER_SORTS = ['clicks', 'leads', 'sales', 'revenue_cents', 'commission_cents'] as const;
