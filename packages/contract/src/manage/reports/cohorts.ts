import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { sumCents } from '../../values/fields.ts';
import { idFilter, one, PROGRAM, shared } from '../route.ts';

/** How many months of new customers the report has, the current one included. */
export const COHORT_MONTHS = 12;

const month = z.string().describe('Such as `2026-03`, in UTC.');
const sums = {
  sales: z.int(),
  money: z.array(z.object({ currency: z.string(), revenue_cents: sumCents, refunded_cents: sumCents })),
};

export const manageCohorts = defineRoute({
  ...shared,
  id: 'manageCohorts',
  path: `${PROGRAM}/cohorts`,
  summary: 'Get what the customers of each month have paid since',
  description:
    `Customers by the month of their first purchase, for the last ${COHORT_MONTHS} months, with what they have paid in each month since. ` +
    'Refunds count in the month of their sale. `earlier` is what customers from before have paid in these months, `pending` what is ' +
    'still being counted: the last minute or so. All of it adds up to the totals.',
  query: z.object({ partner_id: idFilter('partner_id') }),
  reply: one(
    z.object({
      from: z.iso.datetime().describe('The start of the first month.'),
      to: z.iso.datetime().describe('The end of the last day.'),
      totals: z.object(sums),
      earlier: z.object(sums),
      pending: z.object(sums),
      cohorts: z
        .array(
          z.object({
            month,
            customers: z.int().describe('Who first bought in this month.'),
            months: z.array(z.object({ month, ...sums })).describe('From the month itself to the current one.'),
          }),
        )
        .describe('Oldest first.'),
    }),
  ),
});

export const manageExportCohorts = defineRoute({
  ...shared,
  role: 'finance',
  id: 'manageExportCohorts',
  path: `${PROGRAM}/export/cohorts.csv`,
  summary: 'Export what the customers of each month have paid since as CSV',
  description:
    'A line for each month of new customers and each month since, with columns for every currency; then one for customers from before, and ' +
    'one for what is still being counted.',
  query: z.object({ partner_id: idFilter('partner_id') }),
  reply: z.string(),
  replyType: 'text/csv',
});
