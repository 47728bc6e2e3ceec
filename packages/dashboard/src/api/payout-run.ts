import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiError, call } from './client.ts';

/** What a person saw in the preview of a run. */
type PayoutPreview = { count: number; totals: { currency: string; payable_cents: number }[] };
type Run = { preview: PayoutPreview; withPayoutMethod: boolean; includesInactive: boolean };
type MadePayout = { currency: string; amount_cents: number };

/**
 * Creates all payouts of a preview, request by request. Each request says what is left of the preview, so that the run stops
 * as soon as the balances are not the ones that the person saw.
 */
export function usePayoutRun(programId: number): UseMutationResult<MadePayout[], ApiError, Run> & { done: number } {
  const queryClient = useQueryClient();
  const [done, setDone] = useState(0);
  const run = useMutation<MadePayout[], ApiError, Run>({
    mutationFn: async ({ preview, withPayoutMethod, includesInactive }) => {
      const made: MadePayout[] = [];
      setDone(0);
      for (let hasMore = true; hasMore; ) {
        const { data, meta } = await call('manageMakePayouts', {
          params: { program_id: programId },
          body: {
            with_payout_method: withPayoutMethod,
            include_inactive: includesInactive,
            ...restOf(preview, made),
          },
        });
        made.push(...data);
        setDone(made.length);
        hasMore = meta.more && data.length > 0;
      }
      return made;
    },
    // Not awaited, because a refreshed list may no longer show the component that tells the result.
    onSettled: () => void queryClient.invalidateQueries(),
  });
  return { ...run, done };
}

/** What is left of a preview once some payouts are made. */
function restOf({ count, totals }: PayoutPreview, made: readonly MadePayout[]): PayoutPreview {
  const left = totals.map(({ currency, payable_cents }) => {
    const paid = made.filter((payout) => payout.currency === currency);
    return { currency, payable_cents: paid.reduce((sum, { amount_cents }) => sum - amount_cents, payable_cents) };
  });
  return { count: count - made.length, totals: left.filter(({ payable_cents }) => payable_cents > 0) };
}
