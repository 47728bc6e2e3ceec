import { insertClicks } from './clicks/click-store.ts';
import type { CountryLookup } from './clicks/open-country-lookup.ts';
import type { Context } from './context.ts';
import { createGroupCommit } from './db/group-commit.ts';
import { recordLeads } from './leads/record-lead.ts';
import type { LookupCache } from './partners/lookup-cache.ts';
import { recordRefunds } from './refunds/record-refund.ts';
import { createRefusalCounter } from './refusals/refusal-counter.ts';
import { recordSales } from './sales/record-sales.ts';
import type { TrackingContext } from './tracking-context.ts';

/** Leads, sales and refunds are judged in the transaction that writes them, and it takes several round trips: keep it short. */
const JUDGED = { maxGroup: 100, answersPerTurn: 2 };

export type TrackingOptions = {
  emailSecret: string;
  countryOf?: CountryLookup | undefined;
  /** How many clicks may wait to be written before more are rejected; the same for leads, sales and refunds. */
  maxWaiting?: number;
  onGroup?: (kind: 'clicks' | 'leads' | 'sales' | 'refunds', size: number, seconds: number) => void;
};

/** Creates the context of the tracking verbs, with a group commit each for clicks, leads, sales and refunds. */
export function createTracking(ctx: Context, lookup: LookupCache, options: TrackingOptions): TrackingContext {
  const { emailSecret, countryOf, maxWaiting, onGroup } = options;
  // The embedded store has its own time limit, which it logs once instead of for every request.
  const shared = { maxWaiting, ...(ctx.db.kind === 'embedded' && { maxWriteMs: null }) };
  return {
    ...ctx,
    lookup,
    emailSecret,
    countryOf,
    refusals: createRefusalCounter(ctx),
    clicks: createGroupCommit({
      ...shared,
      write: (clicks) => insertClicks(ctx.db, clicks),
      onGroup: (size, seconds) => onGroup?.('clicks', size, seconds),
    }),
    leads: createGroupCommit({
      ...JUDGED,
      ...shared,
      write: (attempts) => recordLeads({ ...ctx, lookup, emailSecret }, attempts),
      onGroup: (size, seconds) => onGroup?.('leads', size, seconds),
    }),
    sales: createGroupCommit({
      ...JUDGED,
      ...shared,
      write: (attempts) => recordSales({ ...ctx, emailSecret }, attempts),
      onGroup: (size, seconds) => onGroup?.('sales', size, seconds),
    }),
    refunds: createGroupCommit({
      ...JUDGED,
      ...shared,
      write: (attempts) => recordRefunds(ctx, attempts),
      onGroup: (size, seconds) => onGroup?.('refunds', size, seconds),
    }),
  };
}
