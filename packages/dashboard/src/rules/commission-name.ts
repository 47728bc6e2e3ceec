import type { CommissionKind } from '@svc/contract';

const NAMES: Record<CommissionKind, string> = {
  sale: 'Sale',
  override: 'Override',
  lead: 'Lead',
  bonus: 'Bonus',
  adjustment: 'Adjustment',
};

/** What a commission is called in lists: its transaction or, without one, what it is paid for and why. */
export function commissionName(commission: {
  kind: CommissionKind;
  transaction_id: string | null;
  reason: string | null;
}): string {
  if (commission.transaction_id !== null) return commission.transaction_id;
  return commission.reason === null ? NAMES[commission.kind] : `${NAMES[commission.kind]}: ${commission.reason}`;
}
