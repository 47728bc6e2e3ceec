import type { Context } from '../context.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import type { Directory } from '../partners/directory.ts';
import type { NewClick, RecordedClick } from './click.ts';
import type { SaleAttempt, SaleOutcome } from './sale.ts';

/** What the tracking verbs work with. Clicks and sales are written in groups. */
export type TrackingContext = Context & {
  directory: Directory;
  clicks: GroupCommit<NewClick, RecordedClick>;
  sales: GroupCommit<SaleAttempt, SaleOutcome>;
  /** Keys the hash that recognises e-mails. */
  emailSecret: string;
};
