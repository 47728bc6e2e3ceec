import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { choice, idFilter, listQuery, many, PROGRAM, period, shared } from '../route.ts';

const id = z.int();
const time = z.iso.datetime();
export const LISTED_EVENTS = ['click', 'lead', 'sale', 'refund'] as const;
export const EVENT_OUTCOMES = ['recorded', 'unchanged', 'not_attributed', 'refused', 'failed'] as const;
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];

export const eventRow = z.object({
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
  outcome: z.enum(EVENT_OUTCOMES),
  reason: z.string().nullable().describe('Why it ended this way; null for clicks.'),
  sentence: z.string().nullable().describe('The reason as a sentence.'),
  message: z.string().nullable().describe('What the caller was told, if a field was refused.'),
  amount_cents: z.int().nullable().describe('Amount of the sale or refund.'),
  currency: z.string().nullable(),
  created_at: time,
});
export type EventRow = z.input<typeof eventRow>;

export const manageEvents = defineRoute({
  ...shared,
  id: 'manageEvents',
  path: `${PROGRAM}/events`,
  summary: 'List recent events',
  description:
    'Clicks, leads, sales and refunds, newest first, including test events. Refused calls of web pages are counted by ' +
    '`GET /refused-calls` instead.',
  query: z.object({
    ...listQuery,
    ...period,
    type: choice('type', LISTED_EVENTS),
    partner_id: idFilter('partner_id'),
    outcome: choice('outcome', ['recorded', 'refused', 'all'])
      .default('recorded')
      .describe(
        '`recorded`: what was recorded. `refused`: leads, sales and refunds that were not recorded or changed nothing. `all`: both. ' +
          'Partners see what was recorded.',
      ),
  }),
  reply: many(eventRow),
});
