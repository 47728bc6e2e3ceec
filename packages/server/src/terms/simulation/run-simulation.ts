import { errors, MAX_RULES, type SimulatedGroups, type TermsRule } from '@svc/contract';
import type { Context } from '../../context.ts';
import type { Program } from '../../programs/program.ts';
import { openCapBook } from '../cap-book.ts';
import { describeRules } from '../describe-rules.ts';
import { currentTerms, type Terms } from '../terms.ts';
import { needsOf } from '../terms-needs.ts';
import { type Difference, openDifferences, type PartnerDifference } from './differences.ts';
import { type Change, openSimulation, type Simulation, simulate } from './simulation.ts';
import {
  type EventNames,
  findEventNames,
  listAllTerms,
  listCurrentGroups,
  listEarnedBefore,
  listPaymentsBefore,
  listSimulatedLeads,
  listSimulatedSales,
  type PageStart,
  type Period,
} from './simulation-store.ts';

export type SimulationResult = {
  matchesActual: boolean;
  sales: number;
  leads: number;
  totals: Difference[];
  partners: PartnerDifference[];
  largest: Change[];
  names: EventNames;
};

/** What the proposed rules are compared with. */
type Comparison = Period & {
  /** Which groups the rules find partners in: those of the time by default. */
  groups?: SimulatedGroups;
};

/** Between pages, other requests have their turn. */
const PAGE = 2_500;
const MAX_PARTNERS = 1_000;

/** What the rules would have paid in a period, compared with what was paid. Nothing is written. */
export async function runSimulation(
  ctx: Context,
  program: Program,
  rules: TermsRule[],
  { groups = 'then', ...period }: Comparison,
): Promise<SimulationResult> {
  if (rules.length > MAX_RULES) throw errors.tooManyRules(MAX_RULES);
  const proposed = { ...currentTerms(program, ctx.now()), rules: await describeRules(ctx.db, program, rules) };
  const simulation = await prepare(ctx, program, { proposed, groups }, period);
  const differences = openDifferences();
  let matchesActual = true;
  const counts = { sales: 0, leads: 0 };
  for (const [kind, list] of [
    ['leads', listSimulatedLeads],
    ['sales', listSimulatedSales],
  ] as const) {
    for (let after: PageStart = { at: period.from.toISOString(), id: 0 }; ; ) {
      const { events: page, lastAt } = await list(ctx.db, program.id, after, period.to, PAGE);
      for (const event of page) {
        const result = simulate(simulation, event);
        matchesActual &&= result.matchesActual;
        for (const change of result.changes) differences.add(change);
      }
      counts[kind] += page.length;
      const last = page.at(-1);
      if (!last || lastAt === null) break;
      after = { at: lastAt, id: last.saleId ?? last.customerId };
    }
  }
  const [partners, largest] = [differences.partners(MAX_PARTNERS), differences.largest()];
  const names = await findEventNames(ctx.db, {
    partnerIds: [...partners, ...largest].map(({ partnerId }) => partnerId),
    saleIds: largest.flatMap(({ event }) => event.saleId ?? []),
  });
  return { matchesActual, ...counts, totals: differences.totals(), partners, largest, names };
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
    sale.paymentNumber ? listPaymentsBefore(ctx.db, programId, from) : new Map<number, number>(),
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
