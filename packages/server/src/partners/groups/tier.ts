import type { GroupTier } from '@svc/contract';
import type { Group } from './group-store.ts';

/** A group that partners move into by themselves. */
export type Tier = Pick<Group, 'id'> & { tier: GroupTier };

/** The groups with tiers, the highest threshold first. */
export function tiersOf(groups: Group[]): Tier[] {
  return groups
    .flatMap(({ id, tier }) => (tier ? [{ id, tier }] : []))
    .sort((a, b) => b.tier.at_least - a.tier.at_least);
}

/** The group of the highest tier that was reached; null for the default group. */
export function groupReached(tiers: Tier[], counted: string): number | null {
  return tiers.find(({ tier }) => BigInt(counted) >= BigInt(tier.at_least))?.id ?? null;
}

/** The day in UTC, such as `2026-07-31`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The days from the first to the last, both included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = new Date(first); dayOf(at) <= last; at = new Date(at.getTime() + 86_400_000)) days.push(dayOf(at));
  return days;
}
