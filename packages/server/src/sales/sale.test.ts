import { COMMISSION_TYPE_NAMES } from '@svc/contract';
import {
  CLICKED_AT,
  sampleCustomer,
  sampleProgram,
  unattributedCustomer,
} from '@svc/testkit/service/routes/samples.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Program } from '../programs/program.ts';
import { rewardsFor } from '../terms/reward.ts';
import { currentTerms } from '../terms/terms.ts';
import { judgeSale, type NewSale, type SaleFacts, type SaleVerdict } from './sale.ts';
import { judgeReward, rewardFacts } from './sale-reward.ts';

const DAY_MS = 86_400_000;
const PAID_AT = new Date(CLICKED_AT.getTime() + DAY_MS);
const LONG_AFTER = new Date(CLICKED_AT.getTime() + 61 * DAY_MS);

const sale: NewSale = {
  transactionId: 'sale-1',
  customerKey: 'user-1',
  clickId: undefined,
  amountCents: 1000,
  currency: 'USD',
  saleType: 'payment',
  isRecurring: false,
  isTest: false,
  source: 'api',
  requestId: null,
};

const known: SaleFacts = {
  customer: sampleCustomer(),
  holder: null,
  foundElsewhere: false,
  membershipStatus: 'active',
  partnerExists: true,
  emailIdentityHash: null,
  isSelfReferral: false,
  isKeyFromPage: false,
  groupId: null,
  recruiterId: null,
};

type Case = { sale?: Partial<NewSale>; program?: Partial<Program>; facts?: Partial<SaleFacts>; paidAt?: Date };

const judge = (given: Case): SaleVerdict => {
  const program = sampleProgram(given.program);
  const attempt = { program, sale: { ...sale, ...given.sale } };
  const facts = { ...known, ...given.facts };
  const paidAt = given.paidAt ?? PAID_AT;
  const rewards = rewardsFor(currentTerms(program, paidAt), rewardFacts(attempt, facts, paidAt));
  return judgeSale(attempt, facts, paidAt) ?? judgeReward(attempt.sale, facts, rewards);
};

const noCustomer = { customer: null, membershipStatus: null, partnerExists: false };
const expired = {
  is: 'outside_window',
  reason: 'attribution_window_expired',
  clickAgeDays: 61,
  windowDays: 60,
} as const;
const attributed = {
  is: 'recorded',
  reason: 'sale_attributed',
  earned: { cents: 200n, currency: 'USD' },
  holdReason: null,
};
const test = { is: 'recorded', reason: 'test_event', earned: null };

describe('a sale is judged', () => {
  it.each<[string, Case, object]>([
    ['all checks pass', {}, attributed],
    ['customer unknown', { facts: noCustomer }, { is: 'refused', reason: 'customer_not_found' }],
    [
      'customer known only in another program',
      { facts: { ...noCustomer, foundElsewhere: true } },
      { is: 'refused', reason: 'attributed_elsewhere' },
    ],
    [
      'customer known, without a partner',
      { facts: { customer: unattributedCustomer(), membershipStatus: null, partnerExists: false } },
      { is: 'refused', reason: 'customer_unattributed' },
    ],
    ['membership missing', { facts: { membershipStatus: null } }, { is: 'refused', reason: 'membership_missing' }],
    ['partner blocked', { facts: { membershipStatus: 'blocked' } }, { is: 'refused', reason: 'partner_blocked' }],
    ['partner removed', { facts: { membershipStatus: 'removed' } }, { is: 'refused', reason: 'partner_removed' }],
    [
      'membership is checked before the window',
      { facts: { membershipStatus: null }, paidAt: LONG_AFTER },
      { is: 'refused', reason: 'membership_missing' },
    ],
    ['click older than the window', { paidAt: LONG_AFTER }, expired],
    ['the window is checked before the partner', { facts: { partnerExists: false }, paidAt: LONG_AFTER }, expired],
    [
      'signup in time, payment late',
      {
        facts: { customer: sampleCustomer({ status: 'lead', leadAt: PAID_AT, leadState: 'settled' }) },
        paidAt: LONG_AFTER,
      },
      attributed,
    ],
    [
      'provisional signup in time, payment late',
      {
        facts: { customer: sampleCustomer({ status: 'lead', leadAt: PAID_AT, leadState: 'provisional' }) },
        paidAt: LONG_AFTER,
      },
      expired,
    ],
    [
      'signup late, payment late',
      {
        facts: { customer: sampleCustomer({ status: 'lead', leadAt: LONG_AFTER, leadState: 'settled' }) },
        paidAt: new Date(LONG_AFTER.getTime() + DAY_MS),
      },
      expired,
    ],
    [
      'already converted, window long over',
      { facts: { customer: sampleCustomer({ status: 'conversion', convertedAt: PAID_AT }) }, paidAt: LONG_AFTER },
      attributed,
    ],
    [
      'partner missing',
      { facts: { customer: sampleCustomer({ partnerId: null }), partnerExists: false } },
      { is: 'unpaid', reason: 'partner_missing', owesCommission: true },
    ],
    [
      'partner missing, on a renewal that earns nothing',
      { sale: { isRecurring: true }, facts: { partnerExists: false } },
      { is: 'unpaid', reason: 'partner_missing', owesCommission: false },
    ],
    [
      'renewal under one-time terms',
      { sale: { isRecurring: true } },
      { is: 'recorded', reason: 'renewal_without_commission', earned: null },
    ],
    [
      'renewal under recurring terms',
      { sale: { isRecurring: true }, program: { commissionType: 'recurring_percent' } },
      attributed,
    ],
    [
      'renewal after recurring_months',
      {
        sale: { isRecurring: true },
        program: { commissionType: 'recurring_percent', recurringMonths: 1 },
        facts: { customer: sampleCustomer({ status: 'conversion', convertedAt: PAID_AT }) },
        paidAt: LONG_AFTER,
      },
      { is: 'recorded', reason: 'renewal_without_commission', earned: null },
    ],
    [
      'fixed terms, in the program’s currency',
      { program: { commissionType: 'fixed', commissionRate: '7.5', currency: 'EUR' } },
      { is: 'recorded', reason: 'sale_attributed', earned: { cents: 750n, currency: 'EUR' }, holdReason: null },
    ],
    ['test, customer unknown', { sale: { isTest: true }, facts: noCustomer }, test],
    [
      'test, customer known without a partner',
      { sale: { isTest: true }, facts: { customer: unattributedCustomer() } },
      test,
    ],
    ['test, all checks pass', { sale: { isTest: true } }, test],
    ['test, click older than the window', { sale: { isTest: true }, paidAt: LONG_AFTER }, expired],
  ])('%s', (_case, given, verdict) => {
    expect(judge(given)).toEqual(verdict);
  });
});

describe('a commission that cannot be represented', () => {
  const LARGEST = { amountCents: Number.MAX_SAFE_INTEGER };
  const tooLarge = { is: 'recorded', reason: 'commission_too_large', earned: null };

  it.each<[string, Case, object]>([
    [
      'a percentage above all of the largest amount',
      { program: { commissionRate: '100.0001' }, sale: LARGEST },
      tooLarge,
    ],
    [
      'all of the largest amount',
      { program: { commissionRate: '100' }, sale: LARGEST },
      { is: 'recorded', reason: 'sale_attributed', earned: { cents: 9_007_199_254_740_991n } },
    ],
    [
      'none at all, at a rate of zero',
      { program: { commissionRate: '0.0000' }, sale: LARGEST },
      { is: 'recorded', reason: 'rule_without_commission', earned: null },
    ],
    [
      'one that a missing partner would earn',
      { program: { commissionRate: '200' }, sale: LARGEST, facts: { partnerExists: false } },
      { is: 'unpaid', reason: 'partner_missing', owesCommission: false },
    ],
  ])('%s', (_what, given, verdict) => {
    expect(judge(given)).toMatchObject(verdict);
  });

  it('is never earned, whatever the rate and the amount', () => {
    const rate = fc
      .tuple(fc.integer({ min: 0, max: 999_999_999_999 }), fc.integer({ min: 0, max: 9_999 }))
      .filter(([whole, fraction]) => whole + fraction > 0);
    fc.assert(
      fc.property(
        fc.constantFrom(...COMMISSION_TYPE_NAMES),
        rate.map(([whole, fraction]) => `${whole}.${String(fraction).padStart(4, '0')}`),
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        fc.constantFrom('USD', 'JPY', 'KWD'),
        fc.boolean(),
        (commissionType, commissionRate, amountCents, currency, isSelfReferral) => {
          const program = { commissionType, commissionRate, currency };
          const verdict = judge({ program, sale: { amountCents, currency }, facts: { isSelfReferral } });
          const earned = 'earned' in verdict ? verdict.earned : null;
          expect(earned ? Number.isSafeInteger(Number(earned.cents)) : verdict.reason).toBe(
            earned ? true : 'commission_too_large',
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('a sale to the partner themselves', () => {
  it('earns a commission that is held', () => {
    expect(judge({ facts: { isSelfReferral: true } })).toEqual({
      is: 'recorded',
      reason: 'self_referral',
      earned: { cents: 200n, currency: 'USD' },
      holdReason: 'self_referral',
    });
  });
});
