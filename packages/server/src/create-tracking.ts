import { insertClicks } from './clicks/click-store.ts';
import type { Context } from './context.ts';
import { createGroupCommit } from './db/group-commit.ts';
import { recordLeads } from './leads/record-lead.ts';
import type { LookupCache } from './partners/lookup-cache.ts';
import { recordRefunds } from './refunds/record-refund.ts';
import { recordSales } from './sales/record-sale.ts';
import type { TrackingContext } from './tracking-context.ts';

/** Leads, sales and refunds are judged one by one in the transaction that writes them; this bounds how long one takes. */
const MAX_JUDGED_GROUP = 100;

export type TrackingOptions = {
  emailSecret: string;
  /** How many clicks, leads, sales and refunds each may wait for their commit before more are turned away. */
  maxWaiting?: number;
  onGroup?: (what: 'clicks' | 'leads' | 'sales' | 'refunds', size: number, seconds: number) => void;
};

/** The context of the tracking verbs, with the groups that clicks, leads, sales and refunds are written in. */
export function createTracking(ctx: Context, lookup: LookupCache, options: TrackingOptions): TrackingContext {
  const { emailSecret, maxWaiting, onGroup } = options;
  return {
    ...ctx,
    lookup,
    emailSecret,
    clicks: createGroupCommit({
      maxWaiting,
      write: (clicks) => insertClicks(ctx.db, clicks),
      onGroup: (size, seconds) => onGroup?.('clicks', size, seconds),
    }),
    leads: createGroupCommit({
      maxGroup: MAX_JUDGED_GROUP,
      maxWaiting,
      write: (attempts) => recordLeads({ ...ctx, lookup, emailSecret }, attempts),
      onGroup: (size, seconds) => onGroup?.('leads', size, seconds),
    }),
    sales: createGroupCommit({
      maxGroup: MAX_JUDGED_GROUP,
      maxWaiting,
      write: (attempts) => recordSales(ctx, attempts),
      onGroup: (size, seconds) => onGroup?.('sales', size, seconds),
    }),
    refunds: createGroupCommit({
      maxGroup: MAX_JUDGED_GROUP,
      maxWaiting,
      write: (attempts) => recordRefunds(ctx, attempts),
      onGroup: (size, seconds) => onGroup?.('refunds', size, seconds),
    }),
  };
}
