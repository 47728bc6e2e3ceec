import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { optionalIdentifier } from '../../values/fields.ts';
import { CUSTOMER_STATUSES } from '../../values/program.ts';
import { expand } from '../expand.ts';
import { expandedPartner } from '../partners/partners.ts';
import {
  choice,
  idFilter,
  listQuery,
  manyCounted,
  one,
  PROGRAM,
  period,
  searchFilter,
  shared,
  sharedRow,
  sortBy,
  totals,
} from '../route.ts';

const id = z.int();
const time = z.iso.datetime();

export const customerFilters = {
  ...period,
  status: choice('status', CUSTOMER_STATUSES),
  partner_id: idFilter('partner_id'),
  customer_key: optionalIdentifier('customer_key'),
  q: searchFilter('Start of the customer key, a click id or, for the brand only, a full email address.'),
};

export const customerRow = z.object({
  id,
  click_id: z.string().nullable(),
  customer_key: z.string().nullable(),
  status: z.enum(CUSTOMER_STATUSES),
  partner_id: id.nullable(),
  partner_name: z.string().nullable(),
  sub: z.string().nullable().describe('The sub-id of the click that brought the customer.'),
  email_masked: z.string().nullable(),
  created_at: time,
});
z.globalRegistry.add(customerRow, { id: 'Customer' });
export type CustomerRow = z.input<typeof customerRow>;

/** The customer of another row. */
export const expandedCustomer = customerRow
  .nullable()
  .optional()
  .describe('The row of the list of customers; null if it is not in your list. Only with `expand=customer`.');

export const CUSTOMER_SORTS = ['created_at', 'partner_name'] as const;
export type CustomerSort = (typeof CUSTOMER_SORTS)[number];

export const manageCustomers = defineRoute({
  ...shared,
  id: 'manageCustomers',
  mayBeBehind: true,
  path: `${PROGRAM}/customers`,
  summary: 'List customers',
  description: 'Newest first, unless `sort` says otherwise.',
  query: z.object({
    ...listQuery,
    sort: sortBy(CUSTOMER_SORTS, '-created_at'),
    totals,
    expand: expand('partner'),
    ...customerFilters,
  }),
  reply: manyCounted(customerRow.extend({ partner: expandedPartner })),
});

export const JOURNEY_STEPS = ['click', 'lead', 'sale', 'refund', 'commission', 'assignment'] as const;

/** What is known about one customer besides the list. */
export const customerDetails = customerRow.extend({
  is_test: z.boolean(),
  lead_at: time.nullable(),
  lead_state: z.enum(['provisional', 'settled']).nullable(),
  converted_at: time.nullable(),
  erased_at: time.nullable().describe('When the customer was erased. Nothing identifies them since.'),
});
export type CustomerDetails = z.input<typeof customerDetails>;

const step = z.object({
  type: z.enum(JOURNEY_STEPS),
  id: id.describe('Id of the click, decision or commission.'),
  at: time,
  partner_id: id.nullable(),
  partner_name: z.string().nullable(),
  link_id: id.nullable(),
  short_link: z.string().nullable(),
  page_url: z.string().nullable(),
  sale_id: id.nullable(),
  transaction_id: z.string().nullable(),
  amount_cents: z.int().nullable().describe('Amount of the sale or refund, or of the commission before deductions.'),
  deducted_cents: z.int().nullable().describe('Deducted from the commission by refunds.'),
  currency: z.string().nullable(),
  status: z.string().nullable().describe('Status of the commission.'),
  outcome: z.string().nullable(),
  reason: z.string().nullable(),
  sentence: z.string().nullable().describe('The reason as a sentence.'),
});
export type JourneyStep = z.input<typeof step>;

const journey = one(
  customerDetails.omit({ erased_at: true }).extend({
    credit: z
      .object({ amount_cents: z.int(), reversed_cents: z.int(), currency: z.string(), created_at: time })
      .nullable()
      .describe('What the terms granted to the customer, and how much of it refunds took back. Null for partners.'),
    erased_at: customerDetails.shape.erased_at,
    journey: z.array(step),
    journey_is_cut: z.boolean().describe('Whether earlier steps were left out.'),
  }),
);

export const manageCustomer = defineRoute({
  ...sharedRow,
  id: 'manageCustomer',
  path: `${PROGRAM}/customers/:customer_id`,
  summary: 'Get a customer’s journey',
  description: 'The latest 200 clicks, signups, sales, refunds and commissions with times and reasons, oldest first.',
  reply: journey,
});

export const manageCustomerByKey = defineRoute({
  ...sharedRow,
  id: 'manageCustomerByKey',
  path: `${PROGRAM}/customers/by-customer-key/:customer_key`,
  summary: 'Get a customer’s journey by their key',
  description:
    'The same, by your own id of the customer, URL-encoded. Partners cannot ask for keys that are email addresses.',
  reply: journey,
});
