import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { optionalIdentifier } from '../values/fields.ts';
import { choice, idFilter, listed, listQuery, many, one, PROGRAM, period, searchFilter } from './route.ts';

const id = z.int();
const time = z.iso.datetime();
export const LISTED_EVENTS = ['click', 'lead', 'sale', 'refund'] as const;

export const manageEvents = defineRoute({
  ...listed,
  id: 'manageEvents',
  path: `${PROGRAM}/events`,
  summary: 'List clicks, leads, sales and refunds as they came in',
  description: 'Newest first, test events too.',
  query: z.object({ ...listQuery, type: choice('type', LISTED_EVENTS) }),
  reply: many(
    z.object({
      id,
      type: z.enum(LISTED_EVENTS),
      is_test: z.boolean(),
      customer_id: id.nullable(),
      partner_id: id.nullable(),
      partner_name: z.string().nullable(),
      link_id: id.nullable(),
      sale_id: id.nullable(),
      transaction_id: z.string().nullable(),
      customer_key: z.string().nullable(),
      created_at: time,
    }),
  ),
});

export const saleFilters = {
  ...period,
  partner_id: idFilter('partner_id'),
  customer_key: optionalIdentifier('customer_key'),
  transaction_id: optionalIdentifier('transaction_id'),
  q: searchFilter('The beginning of the transaction id.'),
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
      currency: z.string(),
      status: z.enum(['recorded', 'partially_refunded', 'refunded']),
      refunded_cents: z.int(),
      created_at: time,
    }),
  ),
});

export const manageExplain = defineRoute({
  ...listed,
  id: 'manageExplain',
  path: `${PROGRAM}/explain`,
  summary: 'Tell what became of a transaction, a customer or a click, and why',
  description: 'Every decision about it, oldest first, with a sentence for people and a code for programs.',
  role: 'member',
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
        kind: z.enum(['lead', 'sale', 'refund', 'commission']),
        outcome: z.string(),
        reason: z.string(),
        sentence: z.string(),
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
