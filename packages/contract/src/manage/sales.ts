import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { COMMISSION_BASE_NAMES } from '../values/commission-types.ts';
import { optionalIdentifier, sumCents } from '../values/fields.ts';
import { COMMISSION_STATUSES } from './commissions.ts';
import { expandedCustomer } from './customers/customers.ts';
import { expand } from './expand.ts';
import { expandedPartner } from './partners/partners.ts';
import {
  idFilter,
  listQuery,
  manyWithTotals,
  one,
  PROGRAM,
  period,
  searchFilter,
  shared,
  sharedRow,
  sortBy,
  totals,
} from './route.ts';

const id = z.int();
const time = z.iso.datetime();

export const saleFilters = {
  ...period,
  partner_id: idFilter('partner_id'),
  customer_key: optionalIdentifier('customer_key'),
  transaction_id: optionalIdentifier('transaction_id').describe('Any id that the payment is known by.'),
  q: searchFilter('Start of a transaction id or of a customer key or, for the brand only, a full email address.'),
};

export const saleRow = z.object({
  id,
  transaction_id: z.string(),
  customer_id: id.nullable(),
  customer_key: z.string().nullable(),
  partner_id: id.nullable(),
  partner_name: z.string().nullable(),
  sub: z.string().nullable().describe('The sub-id of the click that brought the customer.'),
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
  commission_id: id.nullable().describe('Null for a sale that earned none.'),
  commission_cents: z.int().nullable(),
  commission_deducted_cents: z.int().nullable().describe('Deducted from the commission by refunds.'),
  commission_currency: z.string().nullable(),
  commission_status: z.enum(COMMISSION_STATUSES).nullable(),
  created_at: time,
});
z.globalRegistry.add(saleRow, { id: 'Sale' });
export type SaleRow = z.input<typeof saleRow>;

export const SALE_SUMS = { amount_cents: sumCents, refunded_cents: sumCents };

export const SALE_SORTS = ['created_at', 'amount_cents', 'refunded_cents', 'partner_name'] as const;
export type SaleSort = (typeof SALE_SORTS)[number];

const expandedSale = saleRow.extend({ partner: expandedPartner, customer: expandedCustomer });
const expands = expand('partner', 'customer');

export const manageSales = defineRoute({
  ...shared,
  id: 'manageSales',
  mayBeBehind: true,
  path: `${PROGRAM}/sales`,
  summary: 'List sales',
  description: 'Newest first, unless `sort` says otherwise.',
  query: z.object({ ...listQuery, sort: sortBy(SALE_SORTS, '-created_at'), totals, expand: expands, ...saleFilters }),
  reply: manyWithTotals(expandedSale, SALE_SUMS),
});

export const manageSale = defineRoute({
  ...sharedRow,
  id: 'manageSale',
  path: `${PROGRAM}/sales/:sale_id`,
  summary: 'Get a sale',
  description: 'The row of the list. Sales in test mode are in the event log only.',
  query: z.object({ expand: expands }),
  reply: one(expandedSale),
});

export const manageSaleByTransactionId = defineRoute({
  ...sharedRow,
  id: 'manageSaleByTransactionId',
  path: `${PROGRAM}/sales/by-transaction-id/:transaction_id`,
  summary: 'Get a sale by its transaction id',
  description: 'By any id that the payment is known by, URL-encoded. The row of the list.',
  query: z.object({ expand: expands }),
  reply: one(expandedSale),
});
