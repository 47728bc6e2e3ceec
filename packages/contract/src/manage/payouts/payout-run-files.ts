import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { currency } from '../../values/fields.ts';
import { idFilter, listed, managed, one, PROGRAM } from '../route.ts';
import { PAYOUT_RUN_STATUSES } from './payout-runs.ts';
import { PAYOUT_STATUSES } from './payouts.ts';

const RUN = `${PROGRAM}/payout-runs/:run_id`;

export const managePayoutFile = defineRoute({
  ...listed,
  id: 'managePayoutFile',
  path: `${RUN}/files/:file`,
  summary: 'Get a file of a payout run',
  description:
    'Only of a run that was approved; the same bytes every time. If several files have the name, `currency` and `part` say ' +
    'which one.',
  role: 'finance',
  query: z.object({ currency: currency.optional(), part: idFilter('part') }),
  reply: z.string(),
  replyType: 'text/csv',
  otherReplyTypes: ['application/xml', 'text/plain'],
});

/** What a row of a report did. */
export const REPORT_OUTCOMES = {
  changed: 'The payout was changed',
  already: 'The payout was so already',
  pending: 'Accepted, but not carried out yet: nothing changed',
  refused: 'The payout cannot become this: nothing changed',
  other_run: 'A payout of another run: nothing changed',
  unknown: 'Not a payout of this program: nothing changed',
} as const;
export type ReportOutcome = keyof typeof REPORT_OUTCOMES;

const reportRow = z.object({
  end_to_end_id: z.string().describe('The id as the report has it.'),
  payout_id: z.int().nullable(),
  partner_name: z.string().nullable(),
  outcome: z.enum(Object.keys(REPORT_OUTCOMES) as [ReportOutcome, ...ReportOutcome[]]),
  status: z.enum(PAYOUT_STATUSES).nullable().describe('What the payout is now.'),
  code: z.string().nullable().describe('The code of the bank or payment service.'),
  message: z.string().nullable().describe('What it means, in words.'),
});
export type ReportRow = z.input<typeof reportRow>;

/** The largest report of a bank or payment service. */
export const MAX_REPORT_BYTES = 10 * 1024 * 1024;

export const manageReadStatusReport = defineRoute({
  ...managed,
  id: 'manageReadStatusReport',
  proof: 'recent',
  method: 'POST',
  path: `${RUN}/status-report`,
  summary: 'Read a report of the bank or PayPal',
  description:
    'A `pain.002` as `application/xml`, or PayPal’s report as `text/csv`. Only of a sent run. Reading the same report again ' +
    'changes nothing. A report about another run is 409.',
  role: 'finance',
  maxBodyBytes: MAX_REPORT_BYTES,
  receives: ['application/xml', 'text/xml', 'text/csv'],
  reply: one(
    z.object({
      run_status: z.enum(PAYOUT_RUN_STATUSES),
      changed: z.int(),
      unchanged: z.int(),
      unknown: z.int().describe('Rows that are about no payout of this run.'),
      rows: z.array(reportRow),
      problems: z.array(z.string()).describe('What of the report could not be read, in words.'),
    }),
  ),
  statuses: [400, 401, 404, 409],
});
