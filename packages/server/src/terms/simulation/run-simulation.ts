import { type Attribution, errors, MAX_RULES, type SimulatedGroups, type TermsRule } from '@svc/contract';
import type { Context } from '../../context.ts';
import type { Program } from '../../programs/program.ts';
import { openCapBook } from '../cap-book.ts';
import { describeRules } from '../describe-rules.ts';
import { currentTerms, type Terms } from '../terms.ts';
import { needsOf } from '../terms-needs.ts';
import type { FoundClick } from '../visitor-click-store.ts';
import { creditEvents } from './apply-attribution.ts';
import { type Difference, openDifferences, type PartnerDifference } from './differences.ts';
import { countLeads, listSimulatedLeads } from './lead-page-store.ts';
import { mergeByTime, readPages } from './read-pages.ts';
import { listSimulatedSales } from './sale-page-store.ts';
import { type Change, describeChange, openSimulation, type Simulation, simulate } from './simulation.ts';
import {
  countKnownCustomers,
  type EventNames,
  findEventNames,
  listAllTerms,
  listCurrentGroups,
  listEarnedBefore,
  listPaymentsBefore,
  type Period,
} from './simulation-store.ts';

export type SimulationResult = {
  matchesActual: boolean;
  sales: number;
  leads: number;
  totals: Difference[];
  partners: PartnerDifference[];
  largest: DescribedChange[];
  names: EventNames;
};

export type DescribedChange = Omit<Change, 'actual' | 'simulatedRule'> & ReturnType<typeof describeChange>;

/** What the proposed rules are compared with. */
type Comparison = Period & {
  /** Which groups the rules find partners in: those of the time by default. */
  groups?: SimulatedGroups;
};

/** What is tried out. */
export type Proposal = {
  rules: TermsRule[];
  /** As in force by default. */
  attribution?: Attribution | undefined;
  /** Recognizes partners who click their own links. */
  isOwnClick: (click: FoundClick) => boolean;
};

const MAX_PARTNERS = 1_000;

/** What the proposed terms would have paid in a period, compared with what was paid. Nothing is written. */
export async function runSimulation(
  ctx: Context,
  program: Program,
  { rules, attribution, isOwnClick }: Proposal,
  { groups = 'then', ...period }: Comparison,
): Promise<SimulationResult> {
  if (rules.length > MAX_RULES) throw errors.tooManyRules(MAX_RULES);
  const current = currentTerms(program, ctx.now());
  const described = await describeRules(ctx.db, program, rules);
  const proposed = { ...current, rules: described, attribution: attribution ?? current.attribution };
  const simulation = await prepare(ctx, program, { proposed, groups }, period);
  const differences = openDifferences();
  /** Customers of sales and leads that the terms, applied again, give something else for. */
  const differing = new Set<number>();
  const read = (list: typeof listSimulatedSales) =>
    readPages((after, limit) => list(ctx.db, program.id, after, period.to, limit), period);
  const paysLeads = canPayLeads(simulation);
  // Caps count what leads and sales earned in the order in which they happened.
  const pages = paysLeads ? mergeByTime(read(listSimulatedLeads), read(listSimulatedSales)) : read(listSimulatedSales);
  let [sales, leads] = [0, paysLeads ? 0 : await countLeads(ctx.db, program.id, period)];
  const versions = [...simulation.versions.values()];
  const credit = { attribution: proposed.attribution, isOwnClick };
  for await (const page of pages) {
    for (const event of await creditEvents(ctx.db, program, page, versions, credit)) {
      if (event.saleId === null) leads += 1;
      else sales += 1;
      const { matchesActual, changes } = simulate(simulation, event);
      if (!matchesActual) differing.add(event.customerId);
      for (const change of changes) differences.add(change);
    }
  }
  const [partners, largest] = [differences.partners(MAX_PARTNERS), differences.largest()];
  const names = await findEventNames(ctx.db, {
    partnerIds: [...partners, ...largest].map(({ partnerId }) => partnerId),
    saleIds: largest.flatMap(({ event }) => event.saleId ?? []),
  });
  return {
    matchesActual: !(await hasKnownCustomer(ctx, differing)),
    sales,
    leads,
    totals: differences.totals(),
    partners,
    largest: largest.map((change) => ({ ...change, ...describeChange(simulation, change) })),
    names,
  };
}

/** Without rules for leads, there is nothing to compare, and most programs have more leads than sales. */
function canPayLeads({ proposed, versions }: Simulation): boolean {
  return [proposed, ...versions.values()].some(({ rules }) => rules.some(({ on }) => on === 'lead'));
}

/** Erasing a customer may have replaced what a rule asked for, so only the others have to match. */
async function hasKnownCustomer(ctx: Context, customerIds: Set<number>): Promise<boolean> {
  return customerIds.size > 0 && (await countKnownCustomers(ctx.db, [...customerIds])) > 0;
}

/** Reads what the rules ask for from before the period, and nothing else. */
async function prepare(
  ctx: Context,
  program: Program,
  { proposed, groups }: { proposed: Terms; groups: SimulatedGroups },
  { from }: Period,
): Promise<Simulation> {
  const { id: programId, defaultGroupId } = program;
  const [sale, lead] = [needsOf(proposed, 'sale'), needsOf(proposed, 'lead')];
  const hasCounts = [sale, lead].some(({ customerCount, monthCount }) => customerCount || monthCount);
  const [versions, earned, payments, currentGroups] = await Promise.all([
    listAllTerms(ctx.db, programId),
    hasCounts ? listEarnedBefore(ctx.db, programId, from) : [],
    sale.paymentNumber ? listPaymentsBefore(ctx.db, programId, from) : null,
    groups === 'now' ? listCurrentGroups(ctx.db, programId) : null,
  ]);
  return openSimulation({
    programId,
    defaultGroupId,
    proposed,
    versions: new Map(versions.map((terms) => [terms.version, terms])),
    book: openCapBook(earned),
    payments,
    currentGroups,
  });
}
