import { errors, MAX_BULK, type manageReviewCommissions, type ReplyOf } from '@svc/contract';
import type { z } from 'zod';
import { COMMISSIONS, listCommissionsById } from '../../commissions/commission-list-store.ts';
import { type ReviewedCommission, reviewCommissions } from '../../commissions/review-commissions.ts';
import type { Selection } from '../../db/lists/list-query.ts';
import { findTotals } from '../../db/lists/sorted-list.ts';
import type { ProgramAccess } from '../callers/program-access.ts';
import { scopeOf } from '../lists/list-filters.ts';
import { sortedPage } from '../lists/sorted-page.ts';
import type { ServiceContext } from '../service-context.ts';

type Selected = z.infer<(typeof manageReviewCommissions)['body']>;
type Result = ReplyOf<typeof manageReviewCommissions>;

/** Reviews the commissions with these ids, or the next ones that match the filter; or says what that would change. */
export async function reviewSelection(
  ctx: ServiceContext,
  access: ProgramAccess,
  { action, reason, ids, dry_run: isDryRun, ...rest }: Selected,
  selectionOf: (filter: NonNullable<Selected['filter']>) => Selection,
): Promise<Result> {
  const { program, actor } = access;
  const next = ids ? { ids, cursor: null } : await nextOf(ctx, selectionOf(rest.filter ?? {}), rest);
  const reviewed = await reviewCommissions(ctx, program, next.ids, { action, reason, actor, isDryRun });
  const meta = { next_cursor: next.cursor };
  if (!isDryRun) return { data: summary(reviewed).data, meta };
  const { data, skippedIds } = summary(reviewed);
  const changing = reviewed.flatMap(({ id, outcome }) => (outcome === 'done' ? [id] : []));
  const commissions = await listCommissionsById(ctx.db, scopeOf(access, {}), changing);
  const skipped = data.skipped.map((each) => ({ ...each, ids: skippedIds.get(each.reason) ?? [] }));
  return { data: { ...data, skipped, commissions }, meta };
}

/**
 * The ids of the next commissions of the filter, newest first: what is created meanwhile comes before them, and is left out.
 * The first request says how many the caller saw, so that nobody changes what they have not seen.
 */
async function nextOf(
  ctx: ServiceContext,
  selection: Selection,
  { count: seen, cursor }: Pick<Selected, 'count' | 'cursor'>,
) {
  if (!cursor) {
    const { count } = await findTotals(ctx.db, COMMISSIONS, selection);
    if (count !== seen) throw errors.selectionChanged(count, seen ?? 0, 'commissions');
  }
  const query = { sort: '-created_at', cursor, limit: MAX_BULK } as const;
  const { data, meta } = await sortedPage(ctx.db, COMMISSIONS, selection, query);
  return { ids: data.map(({ id }) => id), cursor: meta.next_cursor };
}

type SkipReason = Result['data']['skipped'][number]['reason'];

/** How many changed, and which were skipped for which reason. */
function summary(reviewed: ReviewedCommission[]) {
  const skippedIds = new Map<SkipReason, number[]>();
  for (const { id, outcome, status, isInPayout } of reviewed) {
    if (outcome === 'done') continue;
    const reason = isInPayout ? 'in_payout' : (status ?? 'not_found');
    skippedIds.set(reason, [...(skippedIds.get(reason) ?? []), id]);
  }
  const changed = reviewed.filter(({ outcome }) => outcome === 'done').length;
  const skipped = [...skippedIds].map(([reason, ids]) => ({ reason, count: ids.length }));
  return { data: { changed, skipped }, skippedIds };
}
