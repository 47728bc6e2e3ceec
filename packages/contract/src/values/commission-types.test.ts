import { describe, expect, it } from 'vitest';
import { COMMISSION_TYPE_NAMES, COMMISSION_TYPES, describeEarnings, isCommissionType } from './commission-types.ts';
import { commissionType } from './program-fields.ts';

describe('commission types', () => {
  it('are refused with the list of valid ones, in their order', () => {
    expect(commissionType.safeParse('hourly').error?.issues[0]?.message).toBe(
      'Invalid commission_type: hourly. Valid: percent, fixed, recurring_percent, recurring_fixed',
    );
  });

  it.each(COMMISSION_TYPE_NAMES)('include %s', (name) => {
    expect(isCommissionType(name)).toBe(true);
    expect(commissionType.parse(name)).toBe(name);
  });

  it.each(['', 'Percent', 'toString', 'constructor', '__proto__'])('do not include %j', (name) => {
    expect(isCommissionType(name)).toBe(false);
    expect(commissionType.safeParse(name).success).toBe(false);
  });
});

describe('what a partner earns', () => {
  it.each([
    ['percent', null, '20% of each sale, not of renewals'],
    ['percent', 12, '20% of each sale, not of renewals'],
    ['fixed', null, '20 EUR for each sale, not for renewals'],
    ['recurring_percent', null, '20% of each sale and renewal'],
    [
      'recurring_percent',
      12,
      '20% of each sale and renewal, with renewals for 12 months from the customer’s first sale',
    ],
    [
      'recurring_fixed',
      1,
      '20 EUR for each sale and renewal, with renewals for 1 month from the customer’s first sale',
    ],
  ] as const)('%s with %s months of renewals is described exactly', (type, months, text) => {
    const terms = { commission_type: type, commission_rate: 20, currency: 'EUR', recurring_months: months };
    expect(describeEarnings(terms)).toBe(text);
  });

  it.each(Object.values(COMMISSION_TYPES))(
    'is the same where it is chosen: $label',
    ({ label, earnedOn, renewals }) => {
      expect(label.endsWith(` ${earnedOn}`)).toBe(true);
      expect(earnedOn.includes('not')).toBe(!renewals);
    },
  );
});
