import type { z } from 'zod';
import { FEED_EVENTS, type FEED_ROWS, type FeedEvent, type FeedEventType, type FeedSubject } from './feed-events.ts';

type Rows = { [Subject in FeedSubject]: z.output<(typeof FEED_ROWS)[Subject]> };

const TIME = '2026-03-10T12:00:00.000Z';
const PARTNER = { partner_id: 12, partner_name: 'Jane' };
const BUYER = { customer_id: 7, customer_key: 'user_42' };

/** One of each thing that events are about: a sale of 49.00 USD to user_42, whom Jane referred, and what follows from it. */
const ROWS: Rows = {
  customer: {
    id: 7,
    click_id: 'cust_7_1760000000000',
    customer_key: 'user_42',
    status: 'lead',
    ...PARTNER,
    sub: 'newsletter-42',
    email_masked: 'a***@example.com',
    created_at: TIME,
  },
  sale: {
    id: 31,
    transaction_id: 'order_1001',
    ...BUYER,
    ...PARTNER,
    sub: 'newsletter-42',
    amount_cents: 4900,
    tax_cents: null,
    shipping_cents: null,
    commission_base: 'net',
    base_cents: 4900,
    terms_version: 1,
    currency: 'USD',
    status: 'recorded',
    refunded_cents: 0,
    disputed_cents: 0,
    commission_id: 29,
    commission_cents: 980,
    commission_deducted_cents: 0,
    commission_currency: 'USD',
    commission_status: 'pending',
    created_at: TIME,
  },
  commission: {
    id: 29,
    kind: 'sale',
    sale_id: 31,
    transaction_id: 'order_1001',
    ...BUYER,
    ...PARTNER,
    status: 'pending',
    stage: 'pending',
    sale_cents: 4900,
    sale_currency: 'USD',
    commission_type: 'percent',
    commission_rate: 20,
    commission_cents: 980,
    base_cents: 4900,
    terms_version: 1,
    rule: null,
    terms: null,
    reason: null,
    deducted_cents: 0,
    currency: 'USD',
    approve_after: '2026-04-09T12:00:00.000Z',
    hold_reason: null,
    rejection_reason: null,
    payout_id: null,
    paid_at: null,
    created_at: TIME,
  },
  payout: {
    id: 5,
    ...PARTNER,
    partner_email: 'j***@example.com',
    account_changed_at: null,
    currency: 'USD',
    amount_cents: 980,
    status: 'open',
    reference: null,
    created_at: TIME,
    paid_at: null,
    cancelled_at: null,
    failed_at: null,
    failure_reason: null,
    failure_code: null,
    run_id: 2,
    not_in_file: null,
    sent_at: null,
    returned_at: null,
  },
  partner: {
    id: 12,
    name: 'Jane',
    email: 'j***@example.com',
    status: 'active',
    has_account: true,
    account_changed_at: null,
    group_id: 1,
    group_name: 'Partners',
    group_by: 'hand',
    recruiter_id: null,
    external_id: 'user_42',
    created_at: TIME,
  },
  link: {
    id: 18,
    short_link: 'jane',
    url: 'https://acme.example/?aff=jane',
    destination_url: null,
    label: null,
    active: true,
    deleted_at: null,
    ...PARTNER,
    created_at: TIME,
  },
  credit: {
    id: 3,
    ...BUYER,
    sale_id: 31,
    amount_cents: 500,
    reversed_cents: 0,
    currency: 'USD',
    terms_version: 1,
    created_at: TIME,
  },
  terms: { version: 2, effective_from: TIME, attribution: 'first', note: 'More for the first sale' },
  alert: {
    id: 9,
    kind: 'webhook_failing',
    subject_id: '4',
    subject_name: 'hooks.acme.example',
    message: 'Nothing arrives at the webhook endpoint hooks.acme.example.',
    opened_at: TIME,
    closed_at: null,
  },
};

const decided = (reason: string, sentence: string) => ({ decision: { id: 64, reason, sentence } });

type Change = { row?: Record<string, unknown>; previous?: Record<string, unknown>; more?: Record<string, unknown> };

/** How the thing differs in the types that are not about something new. */
const CHANGES: Partial<Record<FeedEventType, Change>> = {
  'sale.created': {
    more: decided('sale_attributed', 'The sale was recorded and the partner earned a commission.'),
  },
  'sale.refunded': {
    row: { status: 'refunded', refunded_cents: 4900, commission_deducted_cents: 980 },
    previous: { status: 'recorded', refunded_cents: 0 },
    more: { refund: { amount_cents: 4900, currency: 'USD' } },
  },
  'commission.approved': {
    row: { status: 'approved', stage: 'approved' },
    previous: { status: 'pending', stage: 'pending' },
  },
  'commission.rejected': {
    row: { status: 'rejected', stage: 'rejected', rejection_reason: 'The order was a test.' },
    previous: { status: 'pending', stage: 'pending', rejection_reason: null },
  },
  'commission.reversed': {
    row: { status: 'reversed', deducted_cents: 980 },
    previous: { status: 'pending', deducted_cents: 0 },
  },
  'commission.restored': { previous: { status: 'reversed', deducted_cents: 980 } },
  'commission.paid': {
    row: { status: 'paid', stage: 'paid', payout_id: 5, paid_at: TIME },
    previous: { status: 'approved', stage: 'approved', payout_id: null, paid_at: null },
  },
  'payout.sent': { row: { status: 'sent', sent_at: TIME }, previous: { status: 'open', sent_at: null } },
  'payout.paid': {
    row: { status: 'paid', reference: 'TR-1042', paid_at: TIME },
    previous: { status: 'open', reference: null, paid_at: null },
  },
  'payout.failed': {
    row: { status: 'failed', failed_at: TIME, failure_reason: 'The account is closed.' },
    previous: { status: 'open', failed_at: null, failure_reason: null },
  },
  'payout.returned': {
    row: {
      status: 'returned',
      sent_at: TIME,
      returned_at: TIME,
      failure_code: 'AC04',
      failure_reason: 'The bank says that the account is closed.',
    },
    previous: { status: 'sent', returned_at: null, failure_code: null, failure_reason: null },
  },
  'payout.cancelled': {
    row: { status: 'cancelled', cancelled_at: TIME },
    previous: { status: 'open', cancelled_at: null },
  },
  'partner.applied': { row: { status: 'applied' } },
  'partner.changed': { row: { status: 'blocked' }, previous: { status: 'active' } },
  'link.changed': { row: { active: false }, previous: { active: true } },
  'alert.closed': { row: { closed_at: TIME }, previous: { closed_at: null } },
  'customer.assigned': { previous: { partner_id: null, partner_name: null } },
};

/** A made-up event of a type, as the feed and webhooks would tell it. */
export function exampleEvent(type: FeedEventType): FeedEvent {
  const { about } = FEED_EVENTS[type];
  const { row, previous, more } = CHANGES[type] ?? {};
  return {
    id: 'evt_01980c4e2b7f7d3a9f5e6b1c2d3e4f5a',
    type,
    timestamp: TIME,
    program_id: 42,
    sequence: 1042,
    data: { [about]: { ...ROWS[about], ...row }, ...(previous && { previous }), ...more },
  };
}
