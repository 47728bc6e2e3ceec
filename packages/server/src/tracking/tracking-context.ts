import type { Context } from '../context.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import type { Directory } from '../partners/directory.ts';
import type { NewClick, RecordedClick } from './click.ts';
import type { LeadAttempt, LeadOutcome } from './lead.ts';
import type { SaleAttempt, SaleOutcome } from './sale.ts';

/** What the tracking verbs work with. Clicks, leads and sales are written in groups. */
export type TrackingContext = Context & {
  directory: Directory;
  clicks: GroupCommit<NewClick, RecordedClick>;
  leads: GroupCommit<LeadAttempt, LeadOutcome>;
  sales: GroupCommit<SaleAttempt, SaleOutcome>;
  /** Keys the hash that recognises e-mails. */
  emailSecret: string;
};
