import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { COMMISSION_BASE_NAMES } from '../values/commission-types.ts';
import { optionalIdentifier } from '../values/fields.ts';
import { idFilter, listed, listQuery, many, PROGRAM, period, searchFilter } from './route.ts';

const id = z.int();
const time = z.iso.datetime();

export const saleFilters = {
  ...period,
  partner_id: idFilter('partner_id'),
  customer_key: optionalIdentifier('customer_key'),
  transaction_id: optionalIdentifier('transaction_id'),
  q: searchFilter('Start of the transaction id.'),
};

export const manageSales = defineRoute({
  ...listed,
  id: 'manageSales',
  path: `${PROGRAM}/sales`,
  summary: 'List sales',
  description: 'Newest first.',
  query: z.object({ ...listQuery, ...saleFilters }),
  reply: many(
    z.object({
      id,
      transaction_id: z.string(),
      customer_id: id.nullable(),
      customer_key: z.string().nullable(),
      partner_id: id.nullable(),
      partner_name: z.string().nullable(),
      amount_cents: z.int(),
      tax_cents: z.int().nullable().describe('Null if it was not reported.'),
      shipping_cents: z.int().nullable(),
      commission_base: z.enum(COMMISSION_BASE_NAMES),
      base_cents: z.int().nullable().describe('What the percentage is computed from; null under fixed amounts.'),
      terms_version: z.int().nullable().describe('Null for sales from before versions were kept.'),
      currency: z.string(),
      status: z.enum(['recorded', 'partially_refunded', 'refunded']),
      refunded_cents: z.int().describe('Refunded and disputed together.'),
      disputed_cents: z.int().describe('The part of `refunded_cents` that is disputed, or was lost in a dispute.'),
      created_at: time,
    }),
  ),
});
