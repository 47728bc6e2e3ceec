import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { optionalIdentifier } from '../../values/fields.ts';
import { listed, one, PROGRAM } from '../route.ts';

const id = z.int();
const time = z.iso.datetime();

export const manageExplain = defineRoute({
  ...listed,
  id: 'manageExplain',
  path: `${PROGRAM}/explain`,
  summary: 'Explain a transaction, customer or click',
  description: 'Every decision about it, oldest first, each with a readable sentence and a stable reason code.',
  query: z.object({
    transaction_id: optionalIdentifier('transaction_id'),
    customer_key: optionalIdentifier('customer_key'),
    click_id: optionalIdentifier('click_id'),
  }),
  precheck: ({ transaction_id, customer_key, click_id }) =>
    transaction_id || customer_key || click_id ? null : 'transaction_id, customer_key or click_id is required',
  reply: one(
    z.array(
      z.object({
        id,
        kind: z.enum(['lead', 'sale', 'refund', 'commission', 'assignment']),
        outcome: z.string(),
        reason: z.string(),
        sentence: z.string(),
        terms: z
          .string()
          .nullable()
          .describe(
            'The commission rules that decided it, in words. Null if they had no say, as with a rejected sale.',
          ),
        attribution: z
          .string()
          .nullable()
          .describe('Which click is credited, in words, if the terms credit the last one.'),
        facts: z.record(z.string(), z.unknown()),
        source: z.string(),
        customer_id: id.nullable(),
        partner_id: id.nullable(),
        sale_id: id.nullable(),
        transaction_id: z.string().nullable(),
        customer_key: z.string().nullable(),
        click_id: z.string().nullable(),
        request_id: z.string().nullable(),
        is_test: z.boolean(),
        created_at: time,
      }),
    ),
  ),
});
