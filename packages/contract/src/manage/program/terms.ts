import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { COMMISSION_BASE_NAMES, COMMISSION_TYPE_NAMES } from '../../values/commission-types.ts';
import { listed, listQuery, many, PROGRAM } from '../route.ts';

const time = z.iso.datetime();

export const manageTerms = defineRoute({
  ...listed,
  id: 'manageTerms',
  path: `${PROGRAM}/terms`,
  summary: 'List the versions of the terms',
  description:
    'Newest first. A payment is judged by the version in force when it was made, even if it is reported later. Changing the ' +
    'commission settings adds a version; a version never changes.',
  query: z.object(listQuery),
  reply: many(
    z.object({
      version: z.int(),
      effective_from: time.describe('The first version also covers payments from before the program existed.'),
      effective_until: time.nullable().describe('Null for the version in force.'),
      commission: z.string().describe('Readable description, such as `20% per sale`.'),
      commission_type: z.enum(COMMISSION_TYPE_NAMES),
      commission_rate: z.number(),
      commission_base: z.enum(COMMISSION_BASE_NAMES),
      currency: z.string(),
      recurring_months: z.int().nullable(),
      hold_days: z.int(),
      made_by: z
        .string()
        .nullable()
        .describe('The name of the user. Null for the terms that a program was created with.'),
    }),
  ),
});
