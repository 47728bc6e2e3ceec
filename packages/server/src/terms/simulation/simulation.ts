import { type CapBook, openCapBook } from '../cap-book.ts';
import { commissionFor, isRepresentable } from '../earning.ts';
import { nameRule } from '../paid-rule.ts';
import { type Reward, type Rewards, rewardsFor } from '../reward.ts';
import type { RewardFacts } from '../rule-match.ts';
import { factsFromStored, usedFromStored } from '../stored-facts.ts';
import type { Terms } from '../terms.ts';
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
  /** Payments of each customer so far. */
  payments: Map<number, number>;
};

/** What one beneficiary gets for one sale or lead. */
export type Change = {
  event: SimulatedEvent;
  partnerId: number;
  currency: string;
  actualCents: bigint;
  simulatedCents: bigint;
  actualRule: string | null;
  simulatedRule: string | null;
};

export type SimulatedResult = { changes: Change[]; matchesActual: boolean };

type Optional = 'book' | 'payments' | 'currentGroups';

export const openSimulation = (
  parts: Omit<Simulation, Optional> & Partial<Pick<Simulation, Optional>>,
): Simulation => ({ book: openCapBook(), payments: new Map(), currentGroups: null, ...parts });

/** Applies the proposed terms to a sale or lead, and checks that the terms in force give what is stored. */
export function simulate(simulation: Simulation, event: SimulatedEvent): SimulatedResult {
  const { proposed, programId, book } = simulation;
  const place = { programId, customerId: event.customerId, at: event.at };
  const rewards = payable(rewardsFor(proposed, proposedFacts(simulation, event), book.usedOf(place)));
  book.add(place, rewards);
  const changes = [
    ...changesOf(simulation, event, event.own, rewards.own),
    ...changesOf(simulation, event, event.override, rewards.override),
  ];
  return { changes, matchesActual: reproduces(simulation, event) };
}

/** Amounts that cannot be represented are not paid. */
function payable({ own, override, credit }: Rewards): Rewards {
  return { own: own && isRepresentable(own.earned) ? own : null, override, credit };
}

function proposedFacts(simulation: Simulation, event: SimulatedEvent): RewardFacts {
  const stored = factsOf(simulation, event);
  const { currentGroups, defaultGroupId } = simulation;
  const groupId = currentGroups ? (currentGroups.get(event.partnerId) ?? defaultGroupId) : stored.groupId;
  const known = { ...stored, groupId };
  if (event.sale === null) return known;
  const paymentNumber = (simulation.payments.get(event.customerId) ?? 0) + 1;
  simulation.payments.set(event.customerId, paymentNumber);
  return { ...known, paymentNumber };
}

function factsOf({ defaultGroupId }: Simulation, event: SimulatedEvent): RewardFacts {
  const row = { sale: event.sale, at: event.at, partnerId: event.partnerId };
  if (event.facts) return factsFromStored(event.facts, row);
  return {
    ...row,
    groupId: event.groupId ?? defaultGroupId,
    recruiterId: event.recruiterId,
    period: event.sale?.period ?? 'first',
    firstSaleAt: event.firstSaleAt,
    paymentNumber: null,
  };
}

/** Whether the terms that the event was judged by, applied again, give every commission to the cent. */
function reproduces(simulation: Simulation, event: SimulatedEvent): boolean {
  if (event.isErased) return true;
  const terms = event.version === null ? undefined : simulation.versions.get(event.version);
  if (!event.facts || !terms) return event.own === null || isBySettingsOfSale(event, event.own);
  const { own, override } = payable(rewardsFor(terms, factsOf(simulation, event), usedFromStored(event.facts)));
  return isSame(own, event.own) && isSame(override, event.override);
}

/** Sales of earlier releases keep the settings that they were paid by. */
function isBySettingsOfSale({ sale }: SimulatedEvent, { cents, currency }: ActualCommission): boolean {
  if (!sale) return true;
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
function changesOf(
  simulation: Simulation,
  event: SimulatedEvent,
  stored: ActualCommission | null,
  reward: Reward | null,
): Change[] {
  if (stored?.isRejected) return [];
  const actual = stored && {
    partnerId: stored.partnerId,
    currency: stored.currency,
    cents: BigInt(stored.cents),
    rule: actualRule(simulation, event, stored),
  };
  const simulated = reward && {
    partnerId: reward.partnerId,
    currency: reward.earned.currency,
    cents: reward.earned.cents,
    rule: describeWhich(simulation.proposed, reward.rule, null),
  };
  if (actual && simulated && actual.partnerId === simulated.partnerId && actual.currency === simulated.currency) {
    return [changeOf(event, actual, actual.cents, simulated.cents, actual.rule, simulated.rule)];
  }
  return [
    ...(actual ? [changeOf(event, actual, actual.cents, 0n, actual.rule, null)] : []),
    ...(simulated ? [changeOf(event, simulated, 0n, simulated.cents, null, simulated.rule)] : []),
  ];
}

const changeOf = (
  event: SimulatedEvent,
  { partnerId, currency }: { partnerId: number; currency: string },
  actualCents: bigint,
  simulatedCents: bigint,
  actualRuleText: string | null,
  simulatedRule: string | null,
): Change => ({ event, partnerId, currency, actualCents, simulatedCents, actualRule: actualRuleText, simulatedRule });

function actualRule({ versions }: Simulation, event: SimulatedEvent, stored: ActualCommission): string | null {
  const version = stored.version ?? event.version;
  const terms = version === null ? undefined : versions.get(version);
  return terms && version !== null ? describeWhich(terms, stored.rule ?? terms.rules.length + 1, version) : null;
}

function describeWhich({ rules }: Terms, rule: number, version: number | null): string {
  return nameRule(rule, version, rules[rule - 1]?.description ?? 'the commission settings');
}
