import type { NewClick, RecordedClick } from './clicks/click.ts';
import type { CountryLookup } from './clicks/open-country-lookup.ts';
import type { Context } from './context.ts';
import type { GroupCommit } from './db/group-commit.ts';
import type { LeadAttempt, LeadOutcome } from './leads/lead.ts';
import type { LookupCache } from './partners/lookup-cache.ts';
import type { RefundOutcome } from './refunds/refund.ts';
import type { RefundAttempt } from './refunds/refund-group.ts';
import type { RefusalCounter } from './refusals/refusal-counter.ts';
import type { SaleAttempt, SaleOutcome } from './sales/sale.ts';

/** What the tracking verbs work with. Clicks, leads, sales and refunds are written in groups. */
export type TrackingContext = Context & {
  lookup: LookupCache;
  clicks: GroupCommit<NewClick, RecordedClick>;
  leads: GroupCommit<LeadAttempt, LeadOutcome>;
  sales: GroupCommit<SaleAttempt, SaleOutcome>;
  refunds: GroupCommit<RefundAttempt, RefundOutcome>;
  /** Counts the calls of web pages that were refused. */
  refusals: RefusalCounter;
  /** Undefined where no database of countries is configured. */
  countryOf: CountryLookup | undefined;
  /** The key for hashing e-mail addresses. */
  emailSecret: string;
};
