import { type CapBook, openCapBook } from '../cap-book.ts';
import { commissionFor, isRepresentable } from '../earning.ts';
import { nameRule } from '../paid-rule.ts';
import { lastRule, type Reward, type Rewards, rewardsFor } from '../reward.ts';
import type { RewardFacts } from '../rule-match.ts';
import { factsFromStored, usedFromStored } from '../stored-facts.ts';
import type { Terms } from '../terms.ts';
import { needsOf } from '../terms-needs.ts';
import type { ActualCommission, SimulatedEvent } from './simulated-event.ts';

/** What is simulated, and what was there before the period. */
export type Simulation = {
  programId: number;
  defaultGroupId: number;
  /** The groups of partners today, to propose terms for them. Null: they count as in the groups of the time. */
  currentGroups: Map<number, number> | null;
  proposed: Terms;
  /** Every version of the program, by number. */
  versions: Map<number, Terms>;
  book: CapBook;
  /** Payments of each customer so far. Null if no proposed rule asks for them. */
  payments: Map<number, number> | null;
};

/** What one beneficiary gets for one sale or lead. */
export type Change = {
  event: SimulatedEvent;
  partnerId: number;
  currency: string;
  actualCents: bigint;
  simulatedCents: bigint;
  actual: ActualCommission | null;
  /** The number of the proposed rule. */
  simulatedRule: number | null;
};

export type SimulatedResult = { changes: Change[]; matchesActual: boolean };

type Optional = 'book' | 'payments' | 'currentGroups';

export function openSimulation(parts: Omit<Simulation, Optional> & Partial<Pick<Simulation, Optional>>): Simulation {
  const payments = needsOf(parts.proposed, 'sale').paymentNumber ? new Map<number, number>() : null;
  return { book: openCapBook(), payments, currentGroups: null, ...parts };
}

/** Applies the proposed terms to a sale or lead, and checks that the terms in force give what is stored. */
export function simulate(simulation: Simulation, event: SimulatedEvent): SimulatedResult {
  const { proposed, programId, book } = simulation;
  const facts = factsOf(simulation, event);
  const place = { programId, customerId: event.customerId, at: event.at };
  const asked = proposedFacts(simulation, event, facts);
  const rewards = event.credited === null ? NOTHING : payable(rewardsFor(proposed, asked, book.usedOf(place)));
  book.add(place, rewards);
  const changes: Change[] = [];
  addChanges(changes, event, event.own, rewards.own);
  addChanges(changes, event, event.override, rewards.override);
  return { changes, matchesActual: reproduces(simulation, event, facts) };
}

const NOTHING: Rewards = { own: null, override: null, credit: null };

/** Amounts that cannot be represented are not paid. */
function payable(rewards: Rewards): Rewards {
  return rewards.own && !isRepresentable(rewards.own.earned) ? { ...rewards, own: null } : rewards;
}

function proposedFacts(simulation: Simulation, event: SimulatedEvent, stored: RewardFacts): RewardFacts {
  const { currentGroups, defaultGroupId, payments } = simulation;
  const facts = event.credited ? { ...stored, ...creditedFacts(simulation, event.credited) } : stored;
  const groupId = currentGroups ? (currentGroups.get(facts.partnerId) ?? defaultGroupId) : facts.groupId;
  if (event.sale === null || payments === null) return groupId === facts.groupId ? facts : { ...facts, groupId };
  const paymentNumber = (payments.get(event.customerId) ?? 0) + 1;
  payments.set(event.customerId, paymentNumber);
  return { ...facts, groupId, paymentNumber };
}

function creditedFacts({ defaultGroupId }: Simulation, credited: NonNullable<SimulatedEvent['credited']>) {
  const { partnerId, groupId, recruiterId } = credited;
  return { partnerId, groupId: groupId ?? defaultGroupId, recruiterId: recruiterId === partnerId ? null : recruiterId };
}

function factsOf({ defaultGroupId }: Simulation, event: SimulatedEvent): RewardFacts {
  const { sale, at, partnerId, known } = event;
  if (event.facts) return factsFromStored(event.facts, event);
  return {
    sale,
    at,
    partnerId,
    groupId: known?.groupId ?? defaultGroupId,
    recruiterId: known?.recruiterId ?? null,
    period: sale?.period ?? 'first',
    firstSaleAt: known?.firstSaleAt ?? null,
    paymentNumber: null,
  };
}

/** Whether the terms that the event was judged by, applied again, give every commission to the cent. */
function reproduces(simulation: Simulation, event: SimulatedEvent, facts: RewardFacts): boolean {
  const terms = event.version === null ? undefined : simulation.versions.get(event.version);
  if (!event.facts || !terms) return event.own === null || isBySettingsOfSale(event, event.own);
  const { own, override } = payable(rewardsFor(terms, facts, usedFromStored(event.facts)));
  return isSame(own, event.own) && isSame(override, event.override);
}

/** Sales of earlier releases keep the settings that they were paid by. */
function isBySettingsOfSale({ sale }: SimulatedEvent, { cents, currency }: ActualCommission): boolean {
  if (!sale?.paid) return true;
  const earned = commissionFor(sale.paid, sale);
  return earned.cents === BigInt(cents) && earned.currency === currency;
}

function isSame(reward: Reward | null, stored: ActualCommission | null): boolean {
  if (!stored) return reward === null || reward.earned.cents === 0n;
  return (
    reward !== null &&
    reward.earned.cents === BigInt(stored.cents) &&
    reward.earned.currency === stored.currency &&
    reward.partnerId === stored.partnerId
  );
}

/** What was paid and what would be paid. A commission that a person rejected would have been rejected too. */
function addChanges(
  changes: Change[],
  event: SimulatedEvent,
  actual: ActualCommission | null,
  reward: Reward | null,
): void {
  if (actual?.isRejected) return;
  const isSamePot =
    actual && reward && actual.partnerId === reward.partnerId && actual.currency === reward.earned.currency;
  if (isSamePot) {
    changes.push(changeOf(event, actual, actual, reward));
    return;
  }
  if (actual) changes.push(changeOf(event, actual, actual, null));
  if (reward) {
    changes.push(changeOf(event, { partnerId: reward.partnerId, currency: reward.earned.currency }, null, reward));
  }
}

const changeOf = (
  event: SimulatedEvent,
  { partnerId, currency }: { partnerId: number; currency: string },
  actual: ActualCommission | null,
  reward: Reward | null,
): Change => ({
  event,
  partnerId,
  currency,
  actualCents: BigInt(actual?.cents ?? 0),
  simulatedCents: reward?.earned.cents ?? 0n,
  actual,
  simulatedRule: reward?.rule ?? null,
});

/** Which rule paid and which one would pay, in words; null where none did or would. */
export function describeChange({ versions, proposed }: Simulation, change: Change) {
  const { event, actual, simulatedRule } = change;
  const version = actual ? (actual.version ?? event.version) : null;
  const terms = version === null ? undefined : versions.get(version);
  return {
    actualRule: terms && actual ? describeRule(terms, actual.rule ?? lastRule(terms), version) : null,
    simulatedRule: simulatedRule === null ? null : describeRule(proposed, simulatedRule, null),
  };
}

function describeRule({ rules }: Terms, rule: number, version: number | null): string {
  return nameRule(rule, version, rules[rule - 1]?.description ?? 'the commission settings');
}
