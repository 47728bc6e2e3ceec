import { errors, MAX_PAYOUTS_AT_ONCE, type manageMarkPayoutsPaid, type ReplyOf } from '@svc/contract';
import type { z } from 'zod';
import { markManyPaid } from '../../../payouts/close-payout.ts';
import { findPayoutTotals, listPayouts, PAYOUT_SORT_COLUMNS } from '../../../payouts/payout-store.ts';
import type { ProgramAccess } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';
import { payoutFilter } from './list-filters.ts';
import { pageFor, sortedPage } from './sorted-page.ts';

type Selection = z.infer<(typeof manageMarkPayoutsPaid)['body']>;
type Result = ReplyOf<typeof manageMarkPayoutsPaid>;

/** Marks the payouts with these ids as paid, or the next ones that match the filter. */
export async function markSelectionPaid(
  ctx: ServiceContext,
  access: ProgramAccess,
  { ids, reference, ...rest }: Selection,
): Promise<Result> {
  const next = ids ? { ids, cursor: null } : await nextOf(ctx, access, rest);
  const payment = { reference: reference ?? null, actor: access.actor };
  const marked = await markManyPaid(ctx, access.program, next.ids, payment);
  const skipped = new Map<'paid' | 'cancelled' | 'not_found', number>();
  for (const { outcome, status } of marked) {
    if (outcome === 'done') continue;
    const reason = status === 'paid' || status === 'cancelled' ? status : 'not_found';
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  }
  return {
    data: {
      changed: marked.filter(({ outcome }) => outcome === 'done').length,
      skipped: [...skipped].map(([reason, count]) => ({ reason, count })),
    },
    meta: { next_cursor: next.cursor },
  };
}

/** The ids of the next payouts of the filter, newest first, so that those created meanwhile are left out. */
async function nextOf(
  ctx: ServiceContext,
  access: ProgramAccess,
  selection: Pick<Selection, 'filter' | 'count' | 'cursor'>,
) {
  const { filter: sent = {}, count: seen, cursor } = selection;
  const filter = payoutFilter(access, sent);
  if (!cursor) {
    const { count } = await findPayoutTotals(ctx.db, access.program.id, filter);
    if (count !== seen) throw errors.selectionChanged(count, seen ?? 0, 'payouts');
  }
  const query = { sort: '-created_at', cursor, limit: MAX_PAYOUTS_AT_ONCE } as const;
  const rows = await listPayouts(ctx.db, access.program.id, filter, pageFor(query, PAYOUT_SORT_COLUMNS));
  const { data, meta } = sortedPage(rows, query, ({ id }) => id);
  return { ids: data, cursor: meta.next_cursor };
}
