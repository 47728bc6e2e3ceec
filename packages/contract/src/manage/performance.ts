import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { sumCents } from '../values/fields.ts';
import { choice, idFilter, limitOf, listed, one, PROGRAM, period } from './route.ts';

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

export const managePerformance = defineRoute({
  ...listed,
  id: 'managePerformance',
  path: `${PROGRAM}/performance`,
  summary: 'Get performance over a period',
  description:
    'Totals, a daily series, the change from the previous period, the funnel, and the top partners or links.',
  query: z.object({
    ...period,
    group_by: choice('group_by', ['day', 'partner', 'link']),
    limit: limitOf(10).describe('Maximum number of groups.'),
    partner_id: idFilter('partner_id'),
    link_id: idFilter('link_id'),
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
      series: z.array(numbers.extend({ date: z.string() })),
      groups: z.array(numbers.extend({ id: z.int(), name: z.string() })),
    }),
  ),
});
