import { z } from 'zod';
import { optionalIdentifier } from './fields.ts';
import { idFilter, listQuery, managed, many, one, PROGRAM, timeFilter } from './manage-route.ts';
import { CUSTOMER_STATUSES } from './program.ts';
import { defineRoute } from './route.ts';

const id = z.int();
const time = z.iso.datetime();
export const COMMISSION_STATUSES = [
  'pending',
  'approved',
  'paid',
  'reversed',
  'partially_reversed',
  'rejected',
] as const;
export const LISTED_EVENTS = ['click', 'lead', 'sale', 'refund'] as const;

const listed = { ...managed, method: 'GET', role: 'partner', statuses: [400, 401, 404] } as const;
const period = { from: timeFilter('from'), to: timeFilter('to') };
const choice = <const Values extends readonly [string, ...string[]]>(field: string, values: Values) =>
  z.enum(values, { error: `${field} must be one of ${values.join(', ')}` }).optional();

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
      link_id: id.nullable(),
      sale_id: id.nullable(),
      transaction_id: z.string().nullable(),
      customer_key: z.string().nullable(),
      created_at: time,
    }),
  ),
});

export const manageCustomers = defineRoute({
  ...listed,
  id: 'manageCustomers',
  path: `${PROGRAM}/customers`,
  summary: 'List customers',
  description: 'Newest first.',
  query: z.object({
    ...listQuery,
    status: choice('status', CUSTOMER_STATUSES),
    partner_id: idFilter('partner_id'),
    customer_key: optionalIdentifier('customer_key'),
  }),
  reply: many(
    z.object({
      id,
      click_id: z.string().nullable(),
      customer_key: z.string().nullable(),
      status: z.enum(CUSTOMER_STATUSES),
      partner_id: id.nullable(),
      email_masked: z.string().nullable(),
      created_at: time,
    }),
  ),
});

export const manageSales = defineRoute({
  ...listed,
  id: 'manageSales',
  path: `${PROGRAM}/sales`,
  summary: 'List sales',
  description: 'Newest first.',
  query: z.object({
    ...listQuery,
    ...period,
    partner_id: idFilter('partner_id'),
    customer_key: optionalIdentifier('customer_key'),
    transaction_id: optionalIdentifier('transaction_id'),
  }),
  reply: many(
    z.object({
      id,
      transaction_id: z.string(),
      customer_key: z.string().nullable(),
      partner_id: id.nullable(),
      amount_cents: z.int(),
      currency: z.string(),
      status: z.enum(['recorded', 'partially_refunded', 'refunded']),
      refunded_cents: z.int(),
      created_at: time,
    }),
  ),
});

const commission = z.object({
  id,
  sale_id: id,
  transaction_id: z.string(),
  partner_id: id,
  status: z.enum(COMMISSION_STATUSES),
  stage: z.enum(['pending', 'approved', 'paid', 'rejected']),
  commission_cents: z.int(),
  deducted_cents: z.int(),
  currency: z.string(),
  approve_after: time,
  created_at: time,
});

export const manageCommissions = defineRoute({
  ...listed,
  id: 'manageCommissions',
  path: `${PROGRAM}/commissions`,
  summary: 'List commissions',
  description: 'Newest first. `stage` tells how far one has come towards payment, also when a part was reversed.',
  query: z.object({
    ...listQuery,
    ...period,
    status: choice('status', COMMISSION_STATUSES),
    partner_id: idFilter('partner_id'),
    transaction_id: optionalIdentifier('transaction_id'),
  }),
  reply: many(commission),
});

const settle = {
  ...managed,
  method: 'POST',
  role: 'member',
  reply: one(commission),
  statuses: [400, 401, 404],
} as const;

export const manageApprove = defineRoute({
  ...settle,
  id: 'manageApprove',
  path: `${PROGRAM}/commissions/:commission_id/approve`,
  summary: 'Approve a commission before its hold ends',
  description: 'Only a pending one can be approved.',
});

export const manageReject = defineRoute({
  ...settle,
  id: 'manageReject',
  path: `${PROGRAM}/commissions/:commission_id/reject`,
  summary: 'Reject a commission',
  description: 'Only one that is not paid yet can be rejected.',
});

const numbers = z.object({
  clicks: z.int(),
  leads: z.int(),
  sales: z.int(),
  money: z.array(
    z.object({ currency: z.string(), revenue_cents: z.int(), refunded_cents: z.int(), commission_cents: z.int() }),
  ),
});

export const managePerformance = defineRoute({
  ...listed,
  id: 'managePerformance',
  path: `${PROGRAM}/performance`,
  summary: 'Clicks, leads, sales and money over a period',
  description: 'Totals, a daily series, the change against the period before, and groups by partner or link.',
  query: z.object({
    ...period,
    group_by: choice('group_by', ['day', 'partner', 'link']),
  }),
  reply: one(
    z.object({
      from: time,
      to: time,
      totals: numbers,
      previous: numbers,
      change: z.object({ clicks: z.number().nullable(), leads: z.number().nullable(), sales: z.number().nullable() }),
      series: z.array(numbers.extend({ date: z.string() })),
      groups: z.array(numbers.extend({ id: z.int(), name: z.string() })),
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
