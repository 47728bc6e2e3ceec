import { refuse, ServiceError } from './service-error.ts';

/** What can go wrong with the terms of a program and its groups of partners. */
export const termsErrors = {
  rateTooHigh: (max: number, type: string) =>
    new ServiceError(400, `commission_rate must be at most ${max} for commission_type ${type}`, {
      at: { field: 'commission_rate' },
    }),
  tooManyRules: (max: number) =>
    new ServiceError(413, `rules must hold at most ${max} rules`, { at: { field: 'rules' } }),
  ruleRefersToNothing: (rule: number, field: string, id: number | string) =>
    new ServiceError(400, `rule ${rule}: ${field} ${id} is not in this program`, { at: { rule, field } }),
  termsOverlap: (version: number, from: Date) =>
    new ServiceError(409, `effective_from must be after ${from.toISOString()}, when version ${version} begins`, {
      at: { field: 'effective_from' },
    }),
  backdateRequired: refuse(
    400,
    'effective_from is in the past. Simulate the rules first, then send backdate: true to publish them.',
    'effective_from',
  ),
  termsScheduled: (version: number, from: Date) =>
    new ServiceError(
      409,
      `Version ${version} of the commission rules is scheduled for ${from.toISOString()}. Withdraw it to change them before that.`,
    ),
  termsInForce: refuse(409, 'This version of the commission rules has begun. Only a scheduled one can be withdrawn.'),
  groupUnknown: refuse(400, 'group_id is not a group of this program', 'group_id'),
  recruiterUnknown: refuse(400, 'recruiter_id is not another partner of this program', 'recruiter_id'),
  groupNameTaken: (name: string) =>
    new ServiceError(409, `There is already a group with the name "${name}"`, { at: { field: 'name' } }),
  tooManyGroups: (max: number) =>
    new ServiceError(409, `This program has ${max} groups, which is the most. Delete one first.`),
  groupNotEmpty: (partners: number) =>
    new ServiceError(
      409,
      `This group has ${partners === 1 ? '1 partner' : `${partners} partners`}. Move them to another group first.`,
    ),
  defaultGroupStays: refuse(409, 'The default group cannot be deleted, and has no tier'),
  groupHasCreatives: refuse(
    409,
    'There are creatives for this group only. Delete them, or show them to another group, first.',
  ),
  groupInTerms: (rule: number, version: number) =>
    new ServiceError(
      409,
      `Rule ${rule} of version ${version} of the commission rules is for this group. Publish other rules first.`,
    ),
  tiersDiffer: (of: string, period: string) =>
    new ServiceError(409, `tier must count ${of} in ${period}, like the other tiers of this program`, {
      at: { field: 'tier' },
    }),
  tierTaken: (name: string) =>
    new ServiceError(409, `tier.at_least is already the threshold of the group "${name}"`, {
      at: { field: 'tier.at_least' },
    }),
};
