import { z } from 'zod';

/** What a rule of the terms grants to a new customer. */
export const customerCredit = z
  .object({ amount_cents: z.int(), currency: z.string() })
  .optional()
  .describe('What the terms grant to this new customer. It is only recorded: your shop gives it.');
