/** What a rate means, the highest one, and the wording of texts and of forms and prompts that ask for it. */
export const COMMISSION_BASES = {
  percent: {
    rateLabel: 'Percent',
    ratePrompt: 'Commission in percent',
    maxRate: 100,
  },
  fixed: {
    rateLabel: 'Amount',
    ratePrompt: 'Commission in whole units of the currency',
    maxRate: 999_999_999,
  },
} as const;

export type CommissionBasis = keyof typeof COMMISSION_BASES;

type CommissionTypeTerms = {
  basis: CommissionBasis;
  /** Whether renewals of a subscription earn too. */
  renewals: boolean;
  label: string;
};

/**
 * The commission types, in the order that messages list them. Code reads this table and never compares type names, so that a
 * new row is all that a new combination needs, and a new basis does not compile until all code handles it.
 */
export const COMMISSION_TYPES = {
  percent: {
    basis: 'percent',
    renewals: false,
    label: 'Percentage of each sale, not of renewals',
  },
  fixed: {
    basis: 'fixed',
    renewals: false,
    label: 'Fixed amount for each sale, not for renewals',
  },
  recurring_percent: {
    basis: 'percent',
    renewals: true,
    label: 'Percentage of each sale and renewal',
  },
  recurring_fixed: {
    basis: 'fixed',
    renewals: true,
    label: 'Fixed amount for each sale and renewal',
  },
} as const satisfies Record<string, CommissionTypeTerms>;

export type CommissionType = keyof typeof COMMISSION_TYPES;

export const COMMISSION_TYPE_NAMES = Object.keys(COMMISSION_TYPES) as CommissionType[];

export function isCommissionType(name: string): name is CommissionType {
  return Object.hasOwn(COMMISSION_TYPES, name);
}

/** The highest rate that a program can be given. */
export function maxRate(type: CommissionType): number {
  return COMMISSION_BASES[COMMISSION_TYPES[type].basis].maxRate;
}

/** What percentages are computed from, in the order that forms list them. New programs have the first one. */
export const COMMISSIONABLE_AMOUNTS = {
  net: { label: 'Net of tax and shipping', note: 'Tax and shipping do not count' },
  gross: { label: 'What the customer paid', note: 'Tax and shipping count' },
} as const;

export type CommissionBase = keyof typeof COMMISSIONABLE_AMOUNTS;

export const COMMISSION_BASE_NAMES = Object.keys(COMMISSIONABLE_AMOUNTS) as CommissionBase[];
