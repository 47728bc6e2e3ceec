import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { BREAKDOWN_NAMES, INTERVALS } from '../../values/breakdowns.ts';
import { sumCents } from '../../values/fields.ts';
import { choice, idFilter, limitOf, one, PROGRAM, period, shared } from '../route.ts';

const time = z.iso.datetime();
const change = z.number().nullable().describe('Relative to the previous period; null if that was zero.');

const numbers = z.object({
  clicks: z.int(),
  leads: z.int(),
  sales: z.int(),
  money: z.array(
    z.object({ currency: z.string(), revenue_cents: sumCents, refunded_cents: sumCents, commission_cents: sumCents }),
  ),
});

/** The filters of a report; its exports have the same. */
const performanceFilters = {
  ...period,
  interval: choice('interval', ['auto', ...INTERVALS]).describe(
    'What each entry of `series` covers. `auto` chooses by the length of the period. Days if left out.',
  ),
  partner_id: idFilter('partner_id'),
  link_id: idFilter('link_id'),
};

export const managePerformance = defineRoute({
  ...shared,
  id: 'managePerformance',
  mayBeBehind: true,
  path: `${PROGRAM}/performance`,
  summary: 'Get performance over a period',
  description:
    'Totals, a series of days, weeks or months in UTC, the change from the previous period, the funnel, and the top partners or ' +
    'links. The period covers whole hours: `from` and `to` of the reply say which.',
  query: z.object({
    ...performanceFilters,
    group_by: choice('group_by', ['day', 'partner', 'link']),
    limit: limitOf(10).describe('Maximum number of groups.'),
  }),
  reply: one(
    z.object({
      from: time,
      to: time,
      totals: numbers,
      previous: numbers,
      change: z.object({
        clicks: change,
        leads: change,
        sales: change,
        money: z.array(
          z.object({
            currency: z.string(),
            revenue_cents: change,
            refunded_cents: change,
            commission_cents: change,
          }),
        ),
      }),
      funnel: z
        .object({ clicks: z.int(), leads: z.int(), first_sales: z.int() })
        .describe('`first_sales` counts customers with their first purchase.'),
      interval: z.enum(INTERVALS),
      series: z.array(
        numbers.extend({
          date: z.string().describe('The first day.'),
          last_date: z.string().describe('The last day. The first and last week or month are cut to the period.'),
          is_finished: z.boolean().describe('Whether all of it is in the past.'),
        }),
      ),
      previous_series: z
        .array(numbers.extend({ date: z.string(), last_date: z.string() }))
        .describe('The previous period, divided in the same way: each entry is as long as its counterpart.'),
      groups: z.array(numbers.extend({ id: z.int(), name: z.string() })),
    }),
  ),
});

export const manageExportPerformance = defineRoute({
  ...shared,
  role: 'finance',
  id: 'manageExportPerformance',
  mayBeBehind: true,
  path: `${PROGRAM}/export/performance.csv`,
  summary: 'Export performance as CSV',
  description: 'One line for each day, week or month, with columns for every currency.',
  query: z.object(performanceFilters),
  reply: z.string(),
  replyType: 'text/csv',
});

const by = z.enum(BREAKDOWN_NAMES, { error: `by must be one of ${BREAKDOWN_NAMES.join(', ')}` });

const breakdownFilters = {
  by: by.describe('What the rows stand for.'),
  ...period,
  partner_id: idFilter('partner_id'),
  sort: choice('sort', ['clicks', 'leads', 'sales', 'revenue', 'commission']).describe(
    'Which rows come first: those with the most of this. Amounts are those in the currency of the program. Revenue if left out.',
  ),
};

const counts = {
  clicks: z.int(),
  leads: z.int(),
  first_sales: z.int().describe('Customers with their first purchase.'),
  sales: z.int(),
  conversion_rate: z.number().nullable().describe('New customers per click; null without clicks.'),
  money: z.array(
    z.object({
      currency: z.string(),
      revenue_cents: sumCents,
      refunded_cents: sumCents,
      commission_cents: sumCents,
      earnings_per_click_cents: z
        .number()
        .nullable()
        .describe('Commissions per click, in the smallest unit of the currency, to two decimals; null without clicks.'),
    }),
  ),
};

export const manageBreakdown = defineRoute({
  ...shared,
  id: 'manageBreakdown',
  mayBeBehind: true,
  path: `${PROGRAM}/breakdown`,
  summary: 'Break performance down',
  description:
    'Clicks and what came of them by partner, group, link, coupon, new and recurring payments, landing page, referrer, device, country or ' +
    'campaign, over whole days in UTC. Groups are those that partners are in today; partners cannot ask for groups and coupons. ' +
    'Signups and sales count where the first click of their customer does. The rows always add up to the totals.',
  query: z.object({
    ...breakdownFilters,
    limit: limitOf(25).describe('Maximum number of rows, besides those for the rest.'),
  }),
  reply: one(
    z.object({
      by,
      from: z.iso.datetime().describe('The start of the first day.'),
      to: z.iso.datetime().describe('The end of the last day.'),
      available: z.array(by).describe('Countries are available where the operator has configured a database of them.'),
      totals: z.object(counts),
      rows: z.array(
        z.object({
          kind: z
            .enum(['value', 'none', 'other', 'pending'])
            .describe(
              '`none`: visits without a value. `other`: all values that are not listed. `pending`: the last minute or so, which is still being counted.',
            ),
          id: z.int().nullable().describe('The id of the partner, group, link or coupon.'),
          value: z.string().nullable(),
          name: z.string(),
          ...counts,
        }),
      ),
    }),
  ),
});

export const manageExportBreakdown = defineRoute({
  ...shared,
  role: 'finance',
  id: 'manageExportBreakdown',
  mayBeBehind: true,
  path: `${PROGRAM}/export/breakdown.csv`,
  summary: 'Export a breakdown as CSV',
  description: 'Up to 1,000 values, the rest as one line, with columns for every currency.',
  query: z.object(breakdownFilters),
  reply: z.string(),
  replyType: 'text/csv',
});
