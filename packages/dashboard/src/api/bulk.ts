import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type BulkKind, sinceTheNewest } from '../rules/bulk.ts';
import type { Call, Row } from './client.ts';
import { useApiQuery } from './hooks.ts';

/** Routes that change some rows at once, or start to change many. */
type BulkRoute =
  | 'manageReviewCommissions'
  | 'manageMarkPayoutsPaid'
  | 'manageStartPartnerChange'
  | 'manageStartLinkChange'
  | 'manageStartCouponChange'
  | 'manageStartMessage';
type Body<Name extends BulkRoute> = NonNullable<Call<Name>['body']>;

/** The rows to change: those with these ids, or the number of rows that a filter matched. */
export type BulkSelection<Name extends BulkRoute> =
  | { ids: number[] }
  | { filter: NonNullable<Body<Name>['filter']>; count: number };

export type BulkAction = Row<'manageBulkActions'>;

const PROGRESS_MS = 1_000;
const LIMIT = 10;
const MAX_ROWS = 100;

/** The newest bulk actions of the program, once they are known. They are followed while one of them runs. */
function useBulkActions(programId: number): BulkAction[] | undefined {
  const request = { params: { program_id: programId }, query: { limit: LIMIT } };
  const actions = useApiQuery('manageBulkActions', request, {
    refetchMs: (reply) => (reply?.data.some(({ status }) => status === 'running') ? PROGRESS_MS : false),
  });
  return actions.data?.data;
}

/** What became of each row of a bulk action, and the bulk action itself. Both are followed while it runs. */
export function useBulkRows(programId: number, id: number) {
  const action = useBulkActions(programId)?.find((each) => each.id === id);
  const request = { params: { program_id: programId, bulk_action_id: id }, query: { limit: MAX_ROWS } };
  const rows = useApiQuery('manageBulkActionRows', request, {
    refetchMs: action?.status === 'running' ? PROGRESS_MS : false,
  });
  return { action, rows };
}

/**
 * The bulk actions of these kinds in the program that are running, and those that have finished since the newest of them began. They
 * are followed while one runs, and everything on the screen is fetched again when one is over.
 */
export function useBulkProgress(programId: number, kinds: readonly BulkKind[]): BulkAction[] {
  const queryClient = useQueryClient();
  const known = useBulkActions(programId);
  const actions = (known ?? []).filter(({ kind }) => kinds.includes(kind));
  const finished = useRef<ReadonlySet<number> | null>(null);
  useEffect(() => {
    if (!known) return;
    const before = finished.current;
    finished.current = new Set(actions.filter(({ status }) => status !== 'running').map(({ id }) => id));
    // A short action may never be seen running, and what is on the screen may have been fetched before it finished.
    const isNew = before !== null && [...finished.current].some((id) => !before.has(id));
    if (isNew) void queryClient.invalidateQueries();
  }, [known, actions, queryClient]);
  return sinceTheNewest(actions);
}
