import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { managed, one, PROGRAM } from '../route.ts';

const time = z.iso.datetime();

/** How many refused events the guide shows. */
export const MAX_REFUSED_EVENTS = 20;

const refusedEvent = z.object({
  kind: z.enum(['click', 'lead', 'sale', 'refund']),
  outcome: z.enum(['refused', 'not_attributed']),
  reason: z.string(),
  sentence: z.string().describe('The reason as a sentence.'),
  message: z.string().nullable().describe('What was wrong with the request, if it was refused for one of its fields.'),
  field: z.string().nullable().describe('The field that `message` is about.'),
  origin: z
    .string()
    .nullable()
    .describe('Where the page is. `other origins` stands for those beyond 20 in an hour. Null for servers.'),
  calls: z.int().describe('Calls of web pages are counted by reason and origin.'),
  transaction_id: z.string().nullable(),
  customer_key: z.string().nullable(),
  click_id: z.string().nullable(),
  click_age_days: z
    .int()
    .nullable()
    .describe('Whole days from the click to the signup, or to the payment if nobody signed up. Rounded up.'),
  window_days: z.int().nullable(),
  is_test: z.boolean(),
  at: time,
});

export const manageSetup = defineRoute({
  ...managed,
  id: 'manageSetup',
  method: 'GET',
  path: `${PROGRAM}/setup`,
  summary: 'Get what has arrived from the site',
  description: `The latest click, signup and sale that the brand’s site, its server or its payment processor sent, live or test, and up to ${MAX_REFUSED_EVENTS} events that were refused or not attributed in the last 24 hours, the latest first. Tests that the service makes itself are not included.`,
  role: 'viewer',
  reply: one(
    z.object({
      click: z
        .object({
          at: time,
          origin: z.string().describe('Where the page is that reported it.'),
          is_test: z.boolean().describe('Whether it came through the test link.'),
        })
        .nullable(),
      lead: z
        .object({
          at: time,
          source: z.enum(['page', 'server']),
          referred: z.boolean().describe('Whether it belongs to a click.'),
          is_test: z.boolean(),
        })
        .nullable(),
      sale: z
        .object({
          at: time,
          source: z.enum(['processor', 'api']),
          transaction_id: z.string(),
          amount_cents: z.int(),
          currency: z.string(),
          referred: z.boolean(),
          is_test: z.boolean(),
        })
        .nullable(),
      refused: z.array(refusedEvent),
    }),
  ),
  statuses: [401, 404],
});

export const manageTestLink = defineRoute({
  ...managed,
  id: 'manageTestLink',
  proof: { none: 'Test events count nowhere.' },
  method: 'PUT',
  path: `${PROGRAM}/test-link`,
  summary: 'Get the test link',
  description:
    'Creates it if there is none. A visitor who follows it is a test customer: their signup and payments are tests, whatever the site sends, and count nowhere.',
  role: 'member',
  reply: one(z.object({ short_link: z.string(), url: z.string() })),
  statuses: [401, 404],
});
