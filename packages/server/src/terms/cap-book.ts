import type { Reward, Rewards, Used, UsedOf } from './reward.ts';
import { monthNumber } from './terms-needs.ts';

/** One running count of a cap: what a partner earned from a customer, or in a month, in a currency. */
export type CapKey = {
  programId: number;
  partnerId: number;
  scope: 'customer' | 'month';
  /** The customer, or the month as a number. */
  scopeId: number;
  currency: string;
};

export type CapCount = CapKey & { cents: bigint };

/** Where a sale or lead belongs in the counts. */
export type CapPlace = { programId: number; customerId: number; at: Date };

/** Counts what caps have used while rewards are added one after the other. */
export type CapBook = {
  usedOf: (place: CapPlace) => UsedOf;
  add: (place: CapPlace, rewards: Rewards) => void;
  /** The counts that rewards were added to. */
  changed: () => CapCount[];
};

export function openCapBook(counts: CapCount[] = []): CapBook {
  const book = new Map(counts.map((count) => [nameOf(count), count]));
  const changed = new Set<string>();
  const used = (key: CapKey) => book.get(nameOf(key))?.cents ?? 0n;

  function addReward(place: CapPlace, reward: Reward) {
    for (const scope of ['customer', 'month'] as const) {
      if (!reward.counts[scope]) continue;
      const key = keyOf(place, scope, reward.partnerId, reward.earned.currency);
      book.set(nameOf(key), { ...key, cents: used(key) + reward.earned.cents });
      changed.add(nameOf(key));
    }
  }

  return {
    usedOf:
      (place) =>
      (_to, partnerId, currency): Used => ({
        customer: used(keyOf(place, 'customer', partnerId, currency)),
        month: used(keyOf(place, 'month', partnerId, currency)),
      }),
    add(place, { own, override }) {
      if (own) addReward(place, own);
      if (override) addReward(place, override);
    },
    changed: () => [...changed].map((name) => book.get(name)!),
  };
}

export function keyOf(place: CapPlace, scope: CapKey['scope'], partnerId: number, currency: string): CapKey {
  const scopeId = scope === 'customer' ? place.customerId : monthNumber(place.at);
  return { programId: place.programId, partnerId, scope, scopeId, currency };
}

function nameOf({ programId, partnerId, scope, scopeId, currency }: CapKey): string {
  return `${programId} ${partnerId} ${scope} ${scopeId} ${currency}`;
}
