import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addResults, type BulkResult } from '../rules/bulk.ts';
import { type ApiError, type Call, call } from './client.ts';

/** Routes that change many rows, some per request. */
type BulkRoute = 'manageReviewCommissions' | 'manageMarkPayoutsPaid';
type Body<Name extends BulkRoute> = NonNullable<Call<Name>['body']>;

/** The rows to change: those with these ids, or the number of rows that a filter matched. */
export type BulkSelection<Name extends BulkRoute> =
  | { ids: number[] }
  | { filter: NonNullable<Body<Name>['filter']>; count: number };

const IDS_PER_REQUEST = 200;

type BulkCall<Name extends BulkRoute> = {
  selection: BulkSelection<Name>;
  /** What to do with the rows. */
  change: Omit<Body<Name>, 'ids' | 'filter' | 'count' | 'cursor'>;
};

/** Changes all selected rows, request by request, and says how many are done. */
export function useBulkChange<Name extends BulkRoute>(
  name: Name,
  programId: number,
): UseMutationResult<BulkResult, ApiError, BulkCall<Name>> & { done: number } {
  const queryClient = useQueryClient();
  const [done, setDone] = useState(0);
  const change = useMutation<BulkResult, ApiError, BulkCall<Name>>({
    mutationFn: async ({ selection, change: action }) => {
      setDone(0);
      let result: BulkResult = { changed: 0, skipped: [] };
      for (const part of partsOf(selection)) {
        let cursor: string | null = null;
        do {
          const rows: object = cursor && 'filter' in part ? { filter: part.filter, cursor } : part;
          // The compiler cannot tell that the parts of a body of an unknown route make up a whole one.
          const request = { params: { program_id: programId }, body: { ...action, ...rows } } as unknown as Call<Name>;
          const { data, meta } = await call(name, request);
          result = addResults(result, data);
          setDone(countAll(result));
          cursor = meta.next_cursor;
        } while (cursor);
      }
      return result;
    },
    // Also after a failure: the requests before it have changed something. Not awaited, because a refreshed list may no
    // longer show the component that tells the result.
    onSettled: () => void queryClient.invalidateQueries(),
  });
  return { ...change, done };
}

function partsOf<Name extends BulkRoute>(selection: BulkSelection<Name>): BulkSelection<Name>[] {
  if (!('ids' in selection)) return [selection];
  const starts = Array.from(
    { length: Math.ceil(selection.ids.length / IDS_PER_REQUEST) },
    (_, n) => n * IDS_PER_REQUEST,
  );
  return starts.map((start) => ({ ids: selection.ids.slice(start, start + IDS_PER_REQUEST) }));
}

function countAll({ changed, skipped }: BulkResult): number {
  return skipped.reduce((sum, { count }) => sum + count, changed);
}
