import type { DescribedRule } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { rulesOfPartner } from './rules-of-partner.ts';

const GOLD = 7;
const rule = (description: string, parts: Partial<DescribedRule>): DescribedRule => ({
  on: 'sale',
  pays: { type: 'percent', rate: 10 },
  description,
  ...parts,
});
const RECRUITER = { pays: { to: 'recruiter', type: 'percent', rate: 5 } } as const;
const RULES = [
  rule('Jane', { for: { partner_id: 1 } }),
  rule('Gold', { for: { group_id: GOLD } }),
  rule('recruiter of Kim', { for: { partner_id: 2 }, ...RECRUITER }),
  rule('recruiter of Gold', { for: { group_id: GOLD }, ...RECRUITER }),
  rule('recruiter of anyone', RECRUITER),
  rule('everyone', {}),
];

describe('the rules that can pay a partner', () => {
  it.each([
    ['a partner of the default group', { partnerId: 3, groupId: 1, recruits: [] }, [6]],
    ['a partner of a group', { partnerId: 3, groupId: GOLD, recruits: [] }, [2, 6]],
    ['a partner with a rule of their own', { partnerId: 1, groupId: 1, recruits: [] }, [1, 6]],
    ['who recruited Kim', { partnerId: 3, groupId: 1, recruits: [{ partnerId: 2, groupId: 1 }] }, [3, 5, 6]],
    [
      'who recruited somebody in Gold',
      { partnerId: 3, groupId: 1, recruits: [{ partnerId: 9, groupId: GOLD }] },
      [4, 5, 6],
    ],
  ])('are those for %s', (_who, partner, rules) => {
    expect(rulesOfPartner(RULES, partner, 'USD').map((found) => found.rule)).toEqual(rules);
  });
});
