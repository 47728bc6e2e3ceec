/**
 * What a commission is paid for: a sale of the partner's customer, a customer who signed up, a sale or lead of a partner whom
 * the partner recruited; or what a person of the brand rewarded or corrected.
 */
export const COMMISSION_KINDS = ['sale', 'lead', 'override', 'bonus', 'adjustment'] as const;
export type CommissionKind = (typeof COMMISSION_KINDS)[number];

/** The kinds that people make by hand. */
export const MANUAL_KINDS = ['bonus', 'adjustment'] as const satisfies readonly CommissionKind[];
export type ManualKind = (typeof MANUAL_KINDS)[number];

export function isManualKind(kind: CommissionKind): kind is ManualKind {
  return MANUAL_KINDS.some((manual) => manual === kind);
}
