import { z } from 'zod';
import { alertRow } from '../manage/alerts.ts';
import { commissionRow } from '../manage/commissions.ts';
import { customerRow } from '../manage/customers/customers.ts';
import { linkRow } from '../manage/partners/links.ts';
import { partnerRow } from '../manage/partners/partners.ts';
import { payoutRow } from '../manage/payouts/payouts.ts';
import { saleRow } from '../manage/sales.ts';
import { ATTRIBUTION_NAMES } from '../values/program.ts';

const id = z.int();
const time = z.iso.datetime();

/** What a customer was granted with their first sale or their lead. */
export const creditRow = z.object({
  id,
  customer_id: id,
  customer_key: z.string().nullable().describe('Your own id of the customer.'),
  sale_id: id.nullable().describe('Null if it was granted with a lead.'),
  amount_cents: z.int(),
  reversed_cents: z.int().describe('Taken back by refunds.'),
  currency: z.string(),
  terms_version: z.int(),
  created_at: time,
});
z.globalRegistry.add(creditRow, { id: 'Credit' });
export type CreditRow = z.input<typeof creditRow>;

/** A version of the terms, without its rules. */
export const termsRow = z.object({
  version: z.int(),
  effective_from: time,
  attribution: z.enum(ATTRIBUTION_NAMES).describe('Whether the first or the last click of a visitor is credited.'),
  note: z.string().nullable(),
});
z.globalRegistry.add(termsRow, { id: 'TermsVersion' });
export type TermsRow = z.input<typeof termsRow>;

/** Where the money goes is nobody else's business. */
const sharedPayout = payoutRow.omit({ payout_method_kind: true, payout_method: true });
z.globalRegistry.add(sharedPayout, { id: 'PayoutWithoutDetails' });

/** What events are about: rows as the lists of the management API show them. */
export const FEED_ROWS = {
  customer: customerRow,
  sale: saleRow,
  commission: commissionRow,
  payout: sharedPayout,
  partner: partnerRow,
  link: linkRow,
  credit: creditRow,
  terms: termsRow,
  alert: alertRow,
};
export type FeedSubject = keyof typeof FEED_ROWS;

type Declared = { about: FeedSubject; summary: string };

/**
 * Every type of event: what has become true, and the row that `data` holds. The feed, webhooks, the API description and the tests
 * follow from this table.
 */
export const FEED_EVENTS = {
  'lead.created': { about: 'customer', summary: 'A visitor signed up.' },
  'lead.confirmed': { about: 'customer', summary: 'A signup that a web page reported was confirmed.' },
  'sale.created': { about: 'sale', summary: 'A sale was recorded.' },
  'sale.refunded': {
    about: 'sale',
    summary: 'A sale was refunded or disputed, in full or in part, or a refund was taken back.',
  },
  'commission.created': { about: 'commission', summary: 'A partner earned a commission.' },
  'commission.approved': { about: 'commission', summary: 'A commission was approved and can be paid out.' },
  'commission.rejected': { about: 'commission', summary: 'A commission was rejected.' },
  'commission.reversed': { about: 'commission', summary: 'A commission was reversed, in full or in part.' },
  'commission.restored': { about: 'commission', summary: 'A rejected or reversed commission came back.' },
  'commission.paid': { about: 'commission', summary: 'A commission was paid out.' },
  'payout.created': { about: 'payout', summary: 'A payout was created.' },
  'payout.sent': { about: 'payout', summary: 'A payout was sent to the bank or payment service with its run.' },
  'payout.paid': { about: 'payout', summary: 'A payout was marked as paid.' },
  'payout.failed': { about: 'payout', summary: 'A payout failed. What it covered can be paid out again.' },
  'payout.returned': { about: 'payout', summary: 'A payout came back. What it covered can be paid out again.' },
  'payout.cancelled': { about: 'payout', summary: 'A payout was cancelled.' },
  'partner.applied': { about: 'partner', summary: 'Someone applied to join the program.' },
  'partner.joined': { about: 'partner', summary: 'A partner joined the program.' },
  'partner.changed': {
    about: 'partner',
    summary: 'A partner was blocked, removed, reinstated or moved to another group.',
  },
  'link.created': { about: 'link', summary: 'A link was created.' },
  'link.changed': { about: 'link', summary: 'A link was changed, disabled, enabled or deleted.' },
  'customer.assigned': {
    about: 'customer',
    summary: 'A customer was assigned to another partner, by a person or by a coupon.',
  },
  'credit.granted': { about: 'credit', summary: 'A customer was granted a credit.' },
  'terms.changed': {
    about: 'terms',
    summary: 'New commission rules were published, or scheduled ones were withdrawn.',
  },
  'alert.opened': { about: 'alert', summary: 'Something is wrong with the program, such as an endpoint that fails.' },
  'alert.closed': { about: 'alert', summary: 'What was wrong is over.' },
} as const satisfies Record<string, Declared>;

export type FeedEventType = keyof typeof FEED_EVENTS;
export const FEED_EVENT_TYPES = Object.keys(FEED_EVENTS) as [FeedEventType, ...FeedEventType[]];

const decision = z.object({ id, reason: z.string(), sentence: z.string() }).describe('Why it was decided this way.');
const previous = z.record(z.string(), z.unknown()).describe('The fields that changed, as they were before.');
const refund = z
  .object({ amount_cents: z.int(), currency: z.string() })
  .describe('What moved: positive if it was refunded or disputed, negative if it was restored.');

const dataOf = (type: FeedEventType) => {
  const { about } = FEED_EVENTS[type];
  const more = { previous: previous.optional(), decision: decision.optional() };
  return z.object({
    [about]: FEED_ROWS[about],
    ...more,
    ...(type === 'sale.refunded' && { refund: refund.optional() }),
  });
};

const envelope = {
  id: z.string().describe('`evt_…`, the same in the feed and in every delivery.'),
  timestamp: time.describe('When it became true.'),
  program_id: id,
};

/** An event of the feed. Webhooks have the same bytes as their body. */
const eventOf = (type: FeedEventType) =>
  z.object({
    ...envelope,
    type: z.literal(type),
    sequence: z.int().describe('Counts 1, 2, 3, … within the program.'),
    data: dataOf(type),
  });

/** The schema of each type of event. */
export const feedEventSchemas = Object.fromEntries(FEED_EVENT_TYPES.map((type) => [type, eventOf(type)])) as Record<
  FeedEventType,
  ReturnType<typeof eventOf>
>;

/** What an endpoint gets when a person tests it. The feed never has one. */
export const webhookTestEvent = z.object({
  ...envelope,
  type: z.literal('webhook.test'),
  sequence: z.null().describe('Nothing has happened, so it has no number.'),
  data: z.object({ message: z.string() }),
});
export type WebhookTestEvent = z.output<typeof webhookTestEvent>;

export type FeedEvent = {
  id: string;
  type: FeedEventType;
  timestamp: string;
  program_id: number;
  sequence: number;
  data: Record<string, unknown>;
};

type About<Type extends FeedEventType> = (typeof FEED_EVENTS)[Type]['about'];

/** An event of one type. */
export type FeedEventOf<Type extends FeedEventType> = Omit<FeedEvent, 'type' | 'data'> & {
  type: Type;
  data: { [Subject in About<Type>]: z.output<(typeof FEED_ROWS)[Subject]> } & {
    previous?: z.output<typeof previous> | undefined;
    decision?: z.output<typeof decision> | undefined;
  } & (Type extends 'sale.refunded' ? { refund?: z.output<typeof refund> | undefined } : unknown);
};
