import type { Obstacle } from '@svc/contract';
import type { Context } from '../context.ts';
import { listPayableMethods } from '../payout-methods/payout-method-store.ts';
import { listUpcoming, type Upcoming } from '../payouts/upcoming-store.ts';
import { findPayees } from './find-payees.ts';
import { obstacleTo, type Payee } from './obstacle.ts';
import { findPayoutSettings } from './payout-settings-store.ts';

export type Outlook = Upcoming & { nextPayoutAt: Date | null; minimumCents: number; obstacle: Obstacle | null };

/** What the next payouts will contain, by currency, when they are prepared, and what keeps the partner from being paid. */
export async function findUpcoming(ctx: Context, programId: number, partnerId: number | null): Promise<Outlook[]> {
  const [upcoming, settings, payee] = await Promise.all([
    listUpcoming(ctx.db, programId, partnerId),
    findPayoutSettings(ctx.db, programId),
    partnerId === null ? null : findPayee(ctx, programId, partnerId),
  ]);
  return upcoming.map((each) => {
    const minimumCents = settings.minimumCents[each.currency] ?? 0;
    const obstacle = payee && obstacleFor(payee, each, minimumCents, ctx.now());
    return { ...each, nextPayoutAt: settings.nextRunAt, minimumCents, obstacle };
  });
}

async function findPayee({ db }: Context, programId: number, partnerId: number): Promise<Payee> {
  const payees = await findPayees(db, programId, [partnerId], listPayableMethods);
  return payees.get(partnerId) ?? { status: null, method: null };
}

function obstacleFor(
  payee: Payee,
  { currency, payableCents }: Upcoming,
  minimumCents: number,
  now: Date,
): Obstacle | null {
  const amountCents = BigInt(payableCents);
  const found = obstacleTo(payee, { currency, amountCents, minimumCents }, now);
  const none = { until: null, missing_cents: null };
  switch (found?.reason) {
    case undefined:
    // What is payable is never negative.
    case 'negative_balance':
    case 'tax_form_missing':
      return null;
    case 'excluded':
      return { ...none, reason: 'not_active' };
    case 'method_held':
      return { ...none, reason: 'method_held', until: payee.method?.usableFrom.toISOString() ?? null };
    case 'below_minimum':
      return { ...none, reason: 'below_minimum', missing_cents: minimumCents - Number(amountCents) };
    default:
      return { ...none, reason: found!.reason };
  }
}
