import { errors, MAX_PAYOUTS_AT_ONCE, type manageMarkPayoutsPaid, type ReplyOf } from '@svc/contract';
import type { z } from 'zod';
import type { Selection } from '../../../db/lists/list-query.ts';
import { findTotals } from '../../../db/lists/sorted-list.ts';
import { markManyPaid } from '../../../payout-runs/close-payout.ts';
import { PAYOUTS } from '../../../payouts/payout-list-store.ts';
import type { ProgramAccess } from '../../callers/program-access.ts';
import { sortedPage } from '../../lists/sorted-page.ts';
import type { ServiceContext } from '../../service-context.ts';

type Selected = z.infer<(typeof manageMarkPayoutsPaid)['body']>;
type Result = ReplyOf<typeof manageMarkPayoutsPaid>;

/** Marks the payouts with these ids as paid, or the next ones that match the filter. */
export async function markSelectionPaid(
  ctx: ServiceContext,
  access: ProgramAccess,
  { ids, reference, ...rest }: Selected,
  selectionOf: (filter: NonNullable<Selected['filter']>) => Selection,
): Promise<Result> {
  const next = ids ? { ids, cursor: null } : await nextOf(ctx, selectionOf(rest.filter ?? {}), rest);
  const payment = { reference: reference ?? null, actor: access.actor };
  const marked = await markManyPaid(ctx, access.program, next.ids, payment);
  const skipped = new Map<Result['data']['skipped'][number]['reason'], number>();
  for (const { outcome } of marked) {
    if (outcome !== 'done') skipped.set(outcome, (skipped.get(outcome) ?? 0) + 1);
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
  selection: Selection,
  { count: seen, cursor }: Pick<Selected, 'count' | 'cursor'>,
) {
  if (!cursor) {
    const { count } = await findTotals(ctx.db, PAYOUTS, selection);
    if (count !== seen) throw errors.selectionChanged(count, seen ?? 0, 'payouts');
  }
  const query = { sort: '-created_at', cursor, limit: MAX_PAYOUTS_AT_ONCE } as const;
  const { data, meta } = await sortedPage(ctx.db, PAYOUTS, selection, query);
  return { ids: data.map(({ id }) => id), cursor: meta.next_cursor };
}
