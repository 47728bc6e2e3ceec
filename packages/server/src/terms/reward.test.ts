import { describeRule, listRuleProblems, type TermsRule } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCapBook } from './cap-book.ts';
import { commissionFor, type Period } from './earning.ts';
import { type Rewards, rewardsFor } from './reward.ts';
import type { RewardFacts } from './rule-match.ts';
import { factsFromStored, storedFacts, usedFromStored } from './stored-facts.ts';
import type { Terms } from './terms.ts';

const NAMES = { currency: 'USD', groups: new Map<number, string>(), partners: new Map<number, string>() };
const AT = new Date('2026-03-10T12:00:00Z');

const termsWith = (rules: TermsRule[], parts: Partial<Terms> = {}): Terms => ({
  version: 7,
  since: new Date(0),
  rules: rules.map((rule) => ({ ...rule, description: describeRule(rule, NAMES) })),
  type: 'percent',
  rate: '20',
  currency: 'USD',
  recurringMonths: null,
  holdDays: 30,
  base: 'net',
  attribution: 'first',
  ...parts,
});

const sale = {
  amountCents: 10_000,
  taxCents: 1_000,
  shippingCents: 0,
  currency: 'USD',
  productId: 'pro',
  coupon: null,
};
const factsWith = (parts: Partial<RewardFacts> = {}): RewardFacts => ({
  sale,
  at: AT,
  partnerId: 4,
  groupId: 1,
  recruiterId: null,
  period: 'first',
  firstSaleAt: null,
  paymentNumber: 1,
  ...parts,
});

const percent = (rate: number, parts: Partial<TermsRule> = {}): TermsRule => ({
  on: 'sale',
  pays: { type: 'percent', rate },
  ...parts,
});
const ownOf = (rules: TermsRule[], facts: Partial<RewardFacts> = {}) => {
  const { own } = rewardsFor(termsWith(rules), factsWith(facts));
  return own && { rule: own.rule, cents: Number(own.earned.cents) };
};

describe('the first rule that matches pays', () => {
  it.each<[string, TermsRule, Partial<RewardFacts>, Partial<RewardFacts>]>([
    ['a partner', percent(30, { for: { partner_id: 4 } }), {}, { partnerId: 5 }],
    ['a group', percent(30, { for: { group_id: 1 } }), {}, { groupId: 2 }],
    ['a product', percent(30, { when: { product_id: 'pro' } }), {}, { sale: { ...sale, productId: 'basic' } }],
    [
      'a coupon in any case',
      percent(30, { when: { coupon: 'Summer' } }),
      { sale: { ...sale, coupon: 'SUMMER' } },
      { sale: { ...sale, coupon: null } },
    ],
    [
      'a minimum amount',
      percent(30, { when: { min_amount_cents: 10_000 } }),
      {},
      { sale: { ...sale, amountCents: 9_999 } },
    ],
    ['new customers', percent(30, { when: { customer: 'new' } }), {}, { paymentNumber: 2, firstSaleAt: AT }],
    [
      'returning customers',
      percent(30, { when: { customer: 'returning' } }),
      { paymentNumber: 2, firstSaleAt: AT },
      {},
    ],
    [
      'the first payments',
      percent(30, { pays: { type: 'percent', rate: 30, max_payments: 2 } }),
      { paymentNumber: 2 },
      { paymentNumber: 3 },
    ],
    [
      'the first months',
      percent(30, { pays: { type: 'percent', rate: 30, months: 1 } }),
      { firstSaleAt: new Date('2026-02-10T12:00:00.001Z') },
      { firstSaleAt: new Date('2026-02-10T12:00:00Z') },
    ],
  ])('for %s', (_what, rule, fitting, other) => {
    expect(ownOf([rule], fitting)).toEqual({ rule: 1, cents: 2700 });
    // The commission settings pay otherwise.
    expect(ownOf([rule], other)?.rule).toBe(2);
  });

  it('in the order shown, and only one of them', () => {
    const gold = percent(30, { for: { group_id: 1 } });
    const pro = percent(40, { when: { product_id: 'pro' } });
    expect(ownOf([gold, pro])).toEqual({ rule: 1, cents: 2700 });
    expect(ownOf([pro, gold])).toEqual({ rule: 1, cents: 3600 });
    expect(ownOf([])).toEqual({ rule: 1, cents: 1800 });
  });

  it('for renewals only where it says so, and for changes only in percent', () => {
    const once = percent(30);
    const always = percent(10, { pays: { type: 'percent', rate: 10, renewals: true } });
    expect(ownOf([once, always], { period: 'renewal' })).toEqual({ rule: 2, cents: 900 });
    expect(ownOf([once], { period: 'renewal' })).toBeNull();
    expect(ownOf([{ on: 'sale', pays: { type: 'fixed', rate: 5 } }, once], { period: 'change' })).toEqual({
      rule: 2,
      cents: 2700,
    });
  });

  it('from the base that it names', () => {
    expect(ownOf([percent(10, { base: 'gross' })])).toEqual({ rule: 1, cents: 1000 });
    expect(ownOf([percent(10, { base: 'net' })])).toEqual({ rule: 1, cents: 900 });
  });

  it('for leads, where the commission settings pay nothing', () => {
    const bounty: TermsRule = { on: 'lead', pays: { type: 'fixed', rate: 5 } };
    expect(ownOf([bounty, percent(30)], { sale: null })).toEqual({ rule: 1, cents: 500 });
    expect(ownOf([percent(30)], { sale: null })).toBeNull();
  });

  it('and another one pays the recruiter, if there is one', () => {
    const override = percent(5, { pays: { to: 'recruiter', type: 'percent', rate: 5 } });
    const paid = (facts: Partial<RewardFacts>) => {
      const rewards = rewardsFor(termsWith([override]), factsWith(facts));
      return [rewards.own, rewards.override].map((each) => each && [each.partnerId, each.rule, each.earned.cents]);
    };
    expect(paid({ recruiterId: 9 })).toEqual([
      [4, 2, 1800n],
      [9, 1, 450n],
    ]);
    expect(paid({ recruiterId: null })).toEqual([[4, 2, 1800n], null]);
  });

  it('and grants a credit to a new customer only', () => {
    const rule = percent(10, { credit: { amount_cents: 500 } });
    const creditOf = (facts: Partial<RewardFacts>) => rewardsFor(termsWith([rule]), factsWith(facts)).credit;
    expect(creditOf({})).toEqual({ cents: 500, currency: 'USD', rule: 1 });
    expect(creditOf({ paymentNumber: 2 })).toBeNull();
  });
});

const smallCents = fc.integer({ min: 0, max: 3_000 });
const rules = fc
  .array(
    fc.record({
      on: fc.constant('sale' as const),
      for: fc.option(fc.record({ group_id: fc.integer({ min: 1, max: 2 }) }), { nil: undefined }),
      when: fc.option(
        fc.record({
          product_id: fc.option(fc.constantFrom('pro', 'basic'), { nil: undefined }),
          customer: fc.option(fc.constantFrom('new' as const, 'returning' as const), { nil: undefined }),
        }),
        { nil: undefined },
      ),
      pays: fc.record({
        to: fc.constantFrom('partner' as const, 'recruiter' as const),
        type: fc.constantFrom('percent' as const, 'fixed' as const),
        rate: fc.integer({ min: 0, max: 100 }),
        renewals: fc.boolean(),
        max_payments: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      }),
      caps: fc.record({
        per_sale_cents: fc.option(smallCents, { nil: undefined }),
        per_customer_cents: fc.option(smallCents, { nil: undefined }),
        per_partner_month_cents: fc.option(smallCents, { nil: undefined }),
      }),
    }),
    { maxLength: 5 },
  )
  .map((drawn) => drawn.filter((_, index) => listRuleProblems(drawn).every(({ rule }) => rule !== index + 1)));

const events = fc.array(
  fc.record({
    customerId: fc.integer({ min: 1, max: 3 }),
    partnerId: fc.integer({ min: 4, max: 5 }),
    groupId: fc.integer({ min: 1, max: 2 }),
    amountCents: fc.integer({ min: 1, max: 20_000 }),
    currency: fc.constantFrom('USD', 'JPY'),
    productId: fc.constantFrom('pro', 'basic'),
    period: fc.constantFrom<Period>('first', 'renewal', 'change'),
    month: fc.integer({ min: 0, max: 2 }),
  }),
  { maxLength: 25 },
);

type Event = typeof events extends fc.Arbitrary<(infer Drawn)[]> ? Drawn : never;

/** Applies the terms to one event after the other, as the service does. */
function paidFor(terms: Terms, happened: readonly Event[]) {
  const book = openCapBook();
  const payments = new Map<number, number>();
  return happened.map((event) => {
    const paymentNumber = (payments.get(event.customerId) ?? 0) + 1;
    payments.set(event.customerId, paymentNumber);
    const facts = factsWith({
      sale: { ...sale, taxCents: 0, ...event },
      at: new Date(Date.UTC(2026, event.month, 15)),
      partnerId: event.partnerId,
      groupId: event.groupId,
      recruiterId: event.partnerId === 4 ? 5 : null,
      period: event.period,
      paymentNumber,
    });
    const place = { programId: 1, customerId: event.customerId, at: facts.at };
    const rewards = rewardsFor(terms, facts, book.usedOf(place));
    book.add(place, rewards);
    return { event, facts, rewards };
  });
}

const paidOf = ({ own, override }: Rewards) => [own, override].filter((reward) => reward !== null);

describe('whatever the rules and the order of events', () => {
  it('never pays above a cap', () => {
    fc.assert(
      fc.property(rules, events, (drawn, happened) => {
        const terms = termsWith(drawn);
        const sums = new Map<string, bigint>();
        for (const { event, facts, rewards } of paidFor(terms, happened)) {
          for (const reward of paidOf(rewards)) {
            const { caps } = terms.rules[reward.rule - 1] ?? {};
            const { cents, currency } = reward.earned;
            expect(cents).toBeGreaterThanOrEqual(0n);
            if (caps?.per_sale_cents !== undefined) expect(cents).toBeLessThanOrEqual(BigInt(caps.per_sale_cents));
            for (const [cap, scope] of [
              [caps?.per_customer_cents, `customer ${event.customerId}`],
              [caps?.per_partner_month_cents, `month ${facts.at.getUTCMonth()}`],
            ] as const) {
              if (cap === undefined) continue;
              const key = `${reward.partnerId} ${scope} ${currency}`;
              sums.set(key, (sums.get(key) ?? 0n) + cents);
              // What other rules with such a cap paid before may be more than this one allows; then it pays nothing.
              expect(cents === 0n || (sums.get(key) ?? 0n) <= BigInt(cap)).toBe(true);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same rewards when it is replayed, from the start or from what was stored', () => {
    fc.assert(
      fc.property(rules, events, (drawn, happened) => {
        const terms = termsWith(drawn);
        const paid = paidFor(terms, happened);
        expect(paidFor(terms, happened)).toEqual(paid);
        for (const { facts, rewards } of paid) {
          const stored = JSON.parse(JSON.stringify(storedFacts(facts, [rewards.own, rewards.override])));
          const again = rewardsFor(terms, factsFromStored(stored, facts), usedFromStored(stored));
          expect(again).toEqual(rewards);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('pays exactly what the rate says, unless a cap is lower', () => {
    fc.assert(
      fc.property(rules, events, (drawn, happened) => {
        const terms = termsWith(drawn);
        for (const { facts, rewards } of paidFor(terms, happened)) {
          for (const reward of paidOf(rewards)) {
            const due = commissionFor({ ...reward, currency: terms.currency }, facts.sale!);
            expect(reward.earned.currency).toBe(due.currency);
            expect(reward.isCapped ? reward.earned.cents < due.cents : reward.earned.cents === due.cents).toBe(true);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
