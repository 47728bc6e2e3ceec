import { add, type Sum, toSum } from '../db/lists/sum.ts';
import { FACETS, type Facet, RESULT_FACETS, type ResultFacet } from './facets.ts';

/** How many values of a facet a day has, for a program and for each of its partners; the others are counted together. */
export const MAX_VALUES_A_DAY = 100;

/** The partner id under which the whole program is counted. */
export const WHOLE_PROGRAM = 0;

/** Clicks by value. The value is null for the rest. */
export type ClickCounts = Map<string | null, number>;

/** What customers with a value did, in one currency. */
export type ResultCounts = {
  value: string | null;
  currency: string | null;
  leads: number;
  firstSales: number;
  sales: number;
  revenueCents: Sum;
  refundedCents: Sum;
  commissionCents: Sum;
};

/** Something for each facet. */
export function forEachFacet<Result>(make: (facet: Facet) => Result): Record<Facet, Result> {
  return Object.fromEntries(FACETS.map((facet) => [facet, make(facet)])) as Record<Facet, Result>;
}

/** The same for each facet of results. */
export function forEachResultFacet<Result>(make: (facet: ResultFacet) => Result): Record<ResultFacet, Result> {
  return Object.fromEntries(RESULT_FACETS.map((facet) => [facet, make(facet)])) as Record<ResultFacet, Result>;
}

/** Where a visit counts: for the whole program and for its partner. */
export function scopesOf(partnerId: number | null): number[] {
  return partnerId === null ? [WHOLE_PROGRAM] : [WHOLE_PROGRAM, partnerId];
}

/**
 * Adds counts to those of the day. A value that the day has keeps its place; of the others, those with the most clicks get
 * the places that are left, and the rest are counted together.
 */
export function addClickCounts(known: ClickCounts, added: ClickCounts, max = MAX_VALUES_A_DAY): ClickCounts {
  const sum: ClickCounts = new Map(known);
  const byClicks = [...added].sort(([a, clicksOfA], [b, clicksOfB]) => clicksOfB - clicksOfA || compareTexts(a, b));
  let places = max - [...known.keys()].filter((value) => value !== null).length;
  for (const [value, clicks] of byClicks) {
    const isNew = value !== null && !sum.has(value);
    const key = isNew && places <= 0 ? null : value;
    if (isNew) places -= 1;
    sum.set(key, (sum.get(key) ?? 0) + clicks);
  }
  return sum;
}

/** Adds up equal values and currencies. Of more values than fit, those with the most sales, then leads, are kept apart. */
export function limitResultCounts(rows: ResultCounts[], max = MAX_VALUES_A_DAY): ResultCounts[] {
  const weights = new Map<string | null, { sales: number; leads: number }>();
  for (const { value, sales, leads } of rows) {
    const weight = weights.get(value) ?? { sales: 0, leads: 0 };
    weights.set(value, { sales: weight.sales + sales, leads: weight.leads + leads });
  }
  const ranked = [...weights].sort(
    ([a, one], [b, other]) => other.sales - one.sales || other.leads - one.leads || compareTexts(a, b),
  );
  const kept = new Set(ranked.slice(0, max).map(([value]) => value));
  const sums: ResultSums = new Map();
  for (const row of rows) addResultCounts(sums, kept.has(row.value) ? row : { ...row, value: null });
  return [...sums.values()];
}

/** Results by value and currency. */
export type ResultSums = Map<string, ResultCounts>;

/** Adds counts to those of the same value and currency. */
export function addResultCounts(sums: ResultSums, added: ResultCounts): void {
  const key = JSON.stringify([added.value, added.currency]);
  const known = sums.get(key);
  sums.set(key, known ? addResults(known, added) : added);
}

function addResults(one: ResultCounts, other: ResultCounts): ResultCounts {
  return {
    ...one,
    leads: one.leads + other.leads,
    firstSales: one.firstSales + other.firstSales,
    sales: one.sales + other.sales,
    revenueCents: add(one.revenueCents, other.revenueCents),
    refundedCents: add(one.refundedCents, other.refundedCents),
    commissionCents: add(one.commissionCents, other.commissionCents),
  };
}

const compareTexts = (a: string | null, b: string | null) => ((a ?? '') < (b ?? '') ? -1 : 1);

// How counts are stored: lists of lists, without names, because a year of them is read at once. Amounts that are too large for
// a JSON number are text.
type StoredResult = [string | null, string | null, number, number, number, Stored, Stored, Stored];
type Stored = number | string;

export const writeClickCounts = (counts: ClickCounts): string => JSON.stringify([...counts]);

/** Clicks by value, as they are stored. */
export const parseClickCounts = (text: string): [value: string | null, clicks: number][] => JSON.parse(text);
export const readClickCounts = (text: string): ClickCounts => new Map(parseClickCounts(text));

const stored = (sum: Sum): Stored => (typeof sum === 'bigint' ? String(sum) : sum);
const sumOf = (value: Stored): Sum => (typeof value === 'number' ? value : toSum(value));

export function writeResultCounts(rows: ResultCounts[]): string {
  return JSON.stringify(
    rows.map((row): StoredResult => {
      const { value, currency, leads, firstSales, sales, revenueCents, refundedCents, commissionCents } = row;
      const amounts = [stored(revenueCents), stored(refundedCents), stored(commissionCents)] as const;
      return [value, currency, leads, firstSales, sales, ...amounts];
    }),
  );
}

export function readResultCounts(text: string): ResultCounts[] {
  return (JSON.parse(text) as StoredResult[]).map((row) => ({
    value: row[0],
    currency: row[1],
    leads: row[2],
    firstSales: row[3],
    sales: row[4],
    revenueCents: sumOf(row[5]),
    refundedCents: sumOf(row[6]),
    commissionCents: sumOf(row[7]),
  }));
}
