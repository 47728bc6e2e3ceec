import { describe, expect, it } from 'vitest';
import { COMMISSION_TYPE_NAMES, isCommissionType } from './commission-types.ts';
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
