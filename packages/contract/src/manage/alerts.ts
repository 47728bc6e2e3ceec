import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { managed, one, PROGRAM } from './route.ts';

/** What the service notices by itself. */
export const ALERT_KINDS = ['webhook_failing', 'payment_events_failing', 'books_differ'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** For how long closed alerts are listed. */
export const CLOSED_ALERT_DAYS = 30;

export const alertRow = z.object({
  id: z.int(),
  kind: z
    .enum(ALERT_KINDS)
    .describe(
      '`webhook_failing`: nothing has arrived at an endpoint for a day, or it was disabled for that or for answering 410. ' +
        '`payment_events_failing`: events of a payment processor failed for good, or all of them are refused because of their ' +
        'signature. `books_differ`: the books do not agree with commissions and payouts.',
    ),
  subject_id: z.string().describe('The id of the endpoint, the name of the processor in the API, or `books`.'),
  subject_name: z.string().describe('The host of the endpoint, what the processor is called, or `Books`.'),
  message: z.string().describe('What is wrong, as a sentence.'),
  opened_at: z.iso.datetime(),
  closed_at: z.iso.datetime().nullable().describe('When it was over; null while it is open.'),
});
z.globalRegistry.add(alertRow, { id: 'Alert' });
export type AlertRow = z.input<typeof alertRow>;

export const manageAlerts = defineRoute({
  ...managed,
  id: 'manageAlerts',
  method: 'GET',
  path: `${PROGRAM}/alerts`,
  summary: 'List alerts',
  description:
    `What is wrong with the program and needs attention: open alerts first, then those that were closed in the last ` +
    `${CLOSED_ALERT_DAYS} days. An alert closes by itself when its cause is gone.`,
  role: 'viewer',
  reply: one(z.array(alertRow)),
  statuses: [401, 404],
});
