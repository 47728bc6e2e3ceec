import type { RunDifference } from '@svc/contract';
import { toSum } from '../db/lists/sum.ts';
import type { NamedPayee } from './find-payees.ts';

/** A payout of a draft, and the method that it was made for. */
export type DraftPayout = { partnerId: number; currency: string; amountCents: number; methodId: number | null };

export type RunState = {
  payouts: DraftPayout[];
  /** What partners owe now. Everything that they owed when the run was made is deducted in it. */
  owed: { partnerId: number; currency: string; owedCents: string }[];
  payees: Map<number, NamedPayee>;
  now: Date;
};

/** What has changed since the run was made, so that paying it would be wrong. */
export function differencesIn({ payouts, owed, payees, now }: RunState): RunDifference[] {
  const owes = new Map(owed.map(({ partnerId, currency, owedCents }) => [`${partnerId} ${currency}`, owedCents]));
  return payouts.flatMap(({ partnerId, currency, amountCents, methodId }) => {
    const payee = payees.get(partnerId);
    const owedCents = BigInt(owes.get(`${partnerId} ${currency}`) ?? 0);
    const reason = owedCents < 0n ? 'balance_changed' : changeOf(payee, methodId, now);
    if (!reason) return [];
    const nowCents = reason === 'balance_changed' ? toSum(BigInt(amountCents) + owedCents) : amountCents;
    const partner = { partner_id: partnerId, partner_name: payee?.name ?? '' };
    return [{ ...partner, currency, amount_cents: amountCents, now_cents: nowCents, reason }];
  });
}

function changeOf(payee: NamedPayee | undefined, methodId: number | null, now: Date): RunDifference['reason'] | null {
  if (payee?.status !== 'active') return 'partner_not_active';
  if (!payee.method) return 'method_removed';
  if (payee.method.methodId !== methodId) return 'method_changed';
  return payee.method.usableFrom.getTime() > now.getTime() ? 'method_held' : null;
}
