import { PROCESSORS, type ProcessorName } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { processors } from '../processors/processors.ts';
import type { SeenType } from './event-type-store.ts';
import { areOnlyTests, findMissing, summarizeSeen } from './seen-types.ts';

const AT = new Date('2026-11-01T12:00:00Z');
const seen = (type: string, events: number, isLive = true, lastAt = AT): SeenType => ({ type, isLive, events, lastAt });
const missingOf = (provider: ProcessorName, types: SeenType[], isSandbox = false) =>
  findMissing(processors[provider].expects, types, isSandbox).map(({ events, seen: count }) => [events[0], count]);

/** What reports payments and refunds, as the documentation of each processor names it. */
const TYPES: Record<ProcessorName, { payments: string[]; refunds: string[] }> = {
  stripe: {
    payments: ['checkout.session.completed', 'payment_intent.succeeded', 'invoice.paid', 'invoice.payment_succeeded'],
    refunds: ['charge.refunded', 'refund.created', 'refund.updated'],
  },
  paddle: { payments: ['transaction.completed'], refunds: ['adjustment.created', 'adjustment.updated'] },
  polar: { payments: ['order.paid'], refunds: ['order.refunded', 'refund.created', 'refund.updated'] },
  lemonsqueezy: {
    payments: ['order_created', 'subscription_payment_success'],
    refunds: ['order_refunded', 'subscription_payment_refunded'],
  },
  custom: { payments: ['payment'], refunds: ['refund'] },
};

describe.each(PROCESSORS)('%s', (provider) => {
  const { payments, refunds } = TYPES[provider];

  it.each(payments)('asks for refunds after 50 payments without one: %s', (type) => {
    expect(missingOf(provider, [seen(type, 49)])).toEqual([]);
    expect(missingOf(provider, [seen(type, 50)])).toEqual([[refunds[0], 50]]);
  });

  it.each(refunds)('asks no more once one has arrived: %s', (type) => {
    expect(missingOf(provider, [seen(payments[0] as string, 1_000), seen(type, 1)])).toEqual([]);
  });

  it('adds up all types of payments', () => {
    const types = payments.map((type) => seen(type, 50));
    expect(missingOf(provider, types)).toEqual([[refunds[0], 50 * payments.length]]);
  });

  it('looks at tests only where they count', () => {
    const [payment = '', refund = ''] = [payments[0], refunds[0]];
    expect(missingOf(provider, [seen(payment, 50, false)])).toEqual([]);
    expect(missingOf(provider, [seen(payment, 50, false)], true)).toEqual([[refund, 50]]);
    // The endpoint for tests is subscribed to refunds. The real one need not be.
    expect(missingOf(provider, [seen(payment, 50), seen(refund, 1, false)])).toEqual([[refund, 50]]);
  });

  it('expects only events that the set-up asks for', () => {
    const asked = Object.keys(processors[provider].events);
    for (const { events } of processors[provider].expects) expect(asked).toEqual(expect.arrayContaining(events));
  });
});

it.each([
  ['paddle', 'transaction.paid', 'transaction.completed'],
  ['polar', 'order.created', 'order.paid'],
] as const)('%s: three times %s without %s is a payment that is never recorded', (provider, before, records) => {
  expect(missingOf(provider, [seen(before, 2)])).toEqual([]);
  expect(missingOf(provider, [seen(before, 3)])).toEqual([[records, 3]]);
  expect(missingOf(provider, [seen(before, 3), seen(records, 1)])).toEqual([]);
});

it('says that all events are tests, unless tests count or nothing has arrived', () => {
  const test = seen('invoice.paid', 1, false);
  expect(areOnlyTests([], false)).toBe(false);
  expect(areOnlyTests([test], false)).toBe(true);
  expect(areOnlyTests([test], true)).toBe(false);
  expect(areOnlyTests([test, seen('customer.created', 1)], false)).toBe(false);
});

it('adds up real events and tests of a type', () => {
  const later = new Date('2026-11-02T12:00:00Z');
  expect(summarizeSeen([seen('refund', 2, false, later), seen('payment', 5), seen('refund', 3)])).toEqual([
    { type: 'refund', events: 5, tests: 2, lastAt: later },
    { type: 'payment', events: 5, tests: 0, lastAt: AT },
  ]);
});
