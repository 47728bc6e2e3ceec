import { Check } from 'lucide-react';
import { useState } from 'react';
import type { Call } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { countOf } from '../../rules/bulk.ts';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { moneyText } from '../../ui/records/money-totals.tsx';
import { sumsOf } from './sums.ts';

type Filter = NonNullable<NonNullable<Call<'manageStartReview'>['body']>['filter']>;
type ApprovePendingProps = { programId: number; filter: Filter };

/** Approves everything that is pending and matches the filters of the list, such as a month, without selecting it first. */
export function ApprovePending(props: ApprovePendingProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Check size={16} aria-hidden /> Approve pending…
      </Button>
      {isOpen && <ApproveDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Says how many there are and what they come to, before it approves exactly those. What is held for a reason is not among them. */
function ApproveDialog({ programId, filter: shown, onClose }: ApprovePendingProps & { onClose: () => void }) {
  const params = { program_id: programId };
  const filter: Filter = { ...shown, status: 'pending', held: 'false' };
  const pending = useApiQuery(
    'manageCommissions',
    { params, query: { ...filter, totals: 'true', limit: 1 } },
    { keepPrevious: false },
  );
  const start = useApiMutation('manageStartReview', onClose);
  return (
    <Dialog
      title="Approve pending commissions"
      description="Everything on hold that matches the filters of this list, except what is held for your review. An approval can’t be taken back, but until you pay, you can reject commissions."
      isOpen
      onClose={onClose}
    >
      <QueryState query={pending} lines={3}>
        {({ meta: { count = 0, totals = [] } }) => (
          <div className="space-y-4">
            {count === 0 ? (
              <p className="text-sm">Nothing is pending.</p>
            ) : (
              <p className="font-semibold tabular-nums">
                {countOf(count, 'commissions')}, {moneyText(sumsOf(totals))}
              </p>
            )}
            <ErrorNotice error={start.error} />
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button
                variant="primary"
                disabled={count === 0 || pending.isFetching}
                isBusy={start.isPending}
                onClick={() =>
                  start.mutate(
                    { params, body: { action: 'approve', filter, count } },
                    // There may be others by now.
                    { onError: () => void pending.refetch() },
                  )
                }
              >
                Approve {count > 0 && countOf(count, 'commissions')}
              </Button>
            </DialogActions>
          </div>
        )}
      </QueryState>
    </Dialog>
  );
}
