import { randomUUID } from 'node:crypto';
import type { Db, Queryable } from '../db/db.ts';
import {
  addResultCounts,
  forEachResultFacet,
  limitResultCounts,
  type ResultSums,
  scopesOf,
  writeResultCounts,
} from './facet-counts.ts';
import { RESULT_FACETS, type ResultFacet } from './facets.ts';
import {
  type DayRun,
  endOf,
  type FacetResults,
  findPieceEnd,
  finishFacetDay,
  insertCustomerFacets,
  listFacetResults,
  lockFacetDays,
  type Position,
  startFacetDays,
  startOf,
  updateCohorts,
} from './result-facet-store.ts';

/** The results of a day by the partner that they count for. */
type DayCounts = Map<number, Record<ResultFacet, ResultSums>>;

/**
 * Counts the results of a few days of a program by facet. Each piece is a short transaction, and `rest` runs after it. Stops
 * early if another attempt takes the days over or a person is erased; a later attempt then counts them.
 */
export async function countResultsByFacet(db: Db, days: DayRun, rest: () => Promise<void>): Promise<void> {
  const { programId, lastDay } = days;
  const attempt = randomUUID();
  const started = await db.transaction((tx) => startFacetDays(tx, attempt, days));
  const counts = new Map(started.map((day): [string, DayCounts] => [day, new Map()]));
  const end = endOf(lastDay);
  for (let from = startOf(days.firstDay); from !== end; ) {
    const piece = await db.transaction((tx) => readPiece(tx, attempt, { programId, from, end }));
    if (!piece) return;
    for (const results of piece.results) addResults(counts.get(results.day) as DayCounts, results);
    from = piece.to;
    await rest();
  }
  for (const [day, ofDay] of counts) {
    await db.transaction((tx) => finishFacetDay(tx, attempt, { programId, day }, rowsOf(ofDay)));
    await rest();
  }
}

async function readPiece(
  tx: Queryable,
  attempt: string,
  { programId, from, end }: { programId: number; from: Position; end: Position },
): Promise<{ to: Position; results: FacetResults[] } | null> {
  if (!(await lockFacetDays(tx, attempt))) return null;
  const to = await findPieceEnd(tx, programId, from, end);
  const piece = { programId, from, to };
  await insertCustomerFacets(tx, piece);
  await updateCohorts(tx, piece);
  return { to, results: await listFacetResults(tx, piece) };
}

function addResults(day: DayCounts, results: FacetResults): void {
  const { currency, leads, firstSales, sales, revenueCents, refundedCents, commissionCents } = results;
  const counts = { currency, leads, firstSales, sales, revenueCents, refundedCents, commissionCents };
  for (const scope of scopesOf(results.partnerId)) {
    const sums = day.get(scope) ?? forEachResultFacet((): ResultSums => new Map());
    day.set(scope, sums);
    for (const facet of RESULT_FACETS) addResultCounts(sums[facet], { value: results[facet], ...counts });
  }
}

function rowsOf(day: DayCounts): (Record<ResultFacet, string> & { partnerId: number })[] {
  return [...day].map(([partnerId, sums]) => ({
    partnerId,
    ...forEachResultFacet((facet) => writeResultCounts(limitResultCounts([...sums[facet].values()]))),
  }));
}
