import { errors, MAX_BULK, type manageReviewCommissions, type ReplyOf } from '@svc/contract';
import type { z } from 'zod';
import { type ReviewedCommission, reviewCommissions } from '../../../commissions/review-commissions.ts';
import {
  COMMISSION_SORT_COLUMNS,
  findCommissionTotals,
  listCommissions,
} from '../../../reporting/lists/commission-list-store.ts';
import type { ProgramAccess } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';
import { commissionFilter } from './list-filters.ts';
import { pageFor, sortedPage } from './sorted-page.ts';

type Selection = z.infer<(typeof manageReviewCommissions)['body']>;
type Result = ReplyOf<typeof manageReviewCommissions>;

/** Reviews the commissions with these ids, or the next ones that match the filter. */
export async function reviewSelection(
  ctx: ServiceContext,
  access: ProgramAccess,
  { action, reason, ids, ...rest }: Selection,
): Promise<Result> {
  const next = ids ? { ids, cursor: null } : await nextOf(ctx, access, rest);
  const { program, actor } = access;
  const reviewed = await reviewCommissions(ctx, program, next.ids, { action, reason, actor });
  return { data: summary(reviewed), meta: { next_cursor: next.cursor } };
}

/**
 * The ids of the next commissions of the filter, newest first: what is created meanwhile comes before them, and is left out.
 * The first request says how many the caller saw, so that nobody changes what they have not seen.
 */
async function nextOf(ctx: ServiceContext, access: ProgramAccess, selection: Omit<Selection, 'action' | 'ids'>) {
  const { filter: sent = {}, count: seen, cursor } = selection;
  const { program } = access;
  const filter = commissionFilter(access, sent, ctx.emailSecret);
  if (!cursor) {
    const { count } = await findCommissionTotals(ctx.db, program.id, filter);
    if (count !== seen) throw errors.selectionChanged(count, seen ?? 0, 'commissions');
  }
  const query = { sort: '-created_at', cursor, limit: MAX_BULK } as const;
  const rows = await listCommissions(ctx.db, program.id, filter, pageFor(query, COMMISSION_SORT_COLUMNS));
  const { data, meta } = sortedPage(rows, query, ({ id }) => id);
  return { ids: data, cursor: meta.next_cursor };
}

function summary(reviewed: ReviewedCommission[]): Result['data'] {
  const skipped = new Map<Result['data']['skipped'][number]['reason'], number>();
  for (const { outcome, status, isInPayout } of reviewed) {
    if (outcome === 'done') continue;
    const reason = isInPayout ? 'in_payout' : (status ?? 'not_found');
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  }
  return {
    changed: reviewed.filter(({ outcome }) => outcome === 'done').length,
    skipped: [...skipped].map(([reason, count]) => ({ reason, count })),
  };
}
