import { type MembershipStatus, type OmissionReason, reaches } from '@svc/contract';
import { countryOfAccount } from '../payout-methods/payout-method.ts';
import type { PayableMethod } from '../payout-methods/payout-method-store.ts';

/** A partner who may be paid, and how. */
export type Payee<Method extends PayableMethod = PayableMethod> = {
  status: MembershipStatus | null;
  method: Method | null;
};

export type Balance = { currency: string; amountCents: bigint; minimumCents: number };

/** Why nothing is paid, and a note about it where the reason alone does not say enough. */
export type Omission = { reason: OmissionReason; note: string | null };

const NOT_ACTIVE: Record<string, string> = {
  blocked: 'The partner is blocked.',
  removed: 'The partner was removed from the program.',
  applied: 'The partner’s application is not approved.',
};

/** What keeps a partner from being paid a balance, the first reason of several; null if nothing does. */
export function obstacleTo({ status, method }: Payee, balance: Balance, now: Date): Omission | null {
  const { currency, amountCents, minimumCents } = balance;
  if (status !== 'active') {
    return { reason: 'excluded', note: NOT_ACTIVE[status ?? ''] ?? 'The partner is not in the program.' };
  }
  if (amountCents < 0n) return plain('negative_balance');
  if (!method) return plain('no_method');
  if (method.usableFrom.getTime() > now.getTime()) {
    return { reason: 'method_held', note: `The payout method can be used from ${minuteOf(method.usableFrom)} on.` };
  }
  const unreached = reaches(method.kind, currency, countryOfAccount(method));
  if (unreached) return plain(unreached);
  return amountCents < BigInt(minimumCents) ? plain('below_minimum') : null;
}

const plain = (reason: OmissionReason): Omission => ({ reason, note: null });

const minuteOf = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
