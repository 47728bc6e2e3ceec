import type { DueCommission } from '../commissions/payout-coverage-store.ts';
import type { PayableMethod } from '../payout-methods/payout-method-store.ts';
import { type ChosenPayout, choosePayouts } from '../payouts/payout-lines.ts';
import { obstacleTo, type Payee } from './obstacle.ts';
import type { NewOmission, RunRequest } from './run-store.ts';

/** What a run is chosen from. */
export type RunFacts = {
  due: DueCommission[];
  payees: Map<number, Payee>;
  minimumCents: Record<string, number>;
  request: Pick<RunRequest, 'excludedPartnerIds' | 'exclusionNotes'>;
  now: Date;
};

export type RunChoice = { payouts: (ChosenPayout & { method: PayableMethod })[]; leftOut: NewOmission[] };

/** Who is paid with a run and who is left out of it, with the reason. Nobody is in both, and no balance but zero is in neither. */
export function chooseRun({ due, payees, minimumCents, request, now }: RunFacts): RunChoice {
  const excluded = new Set(request.excludedPartnerIds);
  const leftOut: NewOmission[] = [];
  const paid: DueCommission[] = [];
  for (const { partnerId, currency, commissions, amountCents } of balancesOf(due)) {
    if (amountCents === 0n) continue;
    const payee = payees.get(partnerId) ?? { status: null, method: null };
    const balance = { currency, amountCents, minimumCents: minimumCents[currency] ?? 0 };
    const omission = excluded.has(partnerId)
      ? ({ reason: 'excluded', note: request.exclusionNotes[partnerId]?.trim() || null } as const)
      : obstacleTo(payee, balance, now);
    if (omission) leftOut.push({ partnerId, currency, amountCents, ...omission });
    else paid.push(...commissions);
  }
  const { payouts } = choosePayouts(paid, Number.POSITIVE_INFINITY);
  return {
    payouts: payouts.map((payout) => ({ ...payout, method: payees.get(payout.partnerId)!.method! })),
    leftOut,
  };
}

type DueBalance = { partnerId: number; currency: string; amountCents: bigint; commissions: DueCommission[] };

function balancesOf(due: DueCommission[]): Iterable<DueBalance> {
  const balances = new Map<string, DueBalance>();
  for (const commission of due) {
    const { partnerId, currency, dueCents } = commission;
    const key = `${partnerId} ${currency}`;
    const balance = balances.get(key) ?? { partnerId, currency, amountCents: 0n, commissions: [] };
    balance.amountCents += BigInt(dueCents);
    balance.commissions.push(commission);
    balances.set(key, balance);
  }
  return balances.values();
}
