import type { ReviewAction } from '@svc/contract';
import { useState } from 'react';
import type { BulkSelection } from '../../api/bulk.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { countOf, describeResult } from '../../rules/bulk.ts';
import { useToast, useUndoToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { moneyText } from '../../ui/records/money-totals.tsx';
import { RejectDialog } from './reject-dialog.tsx';

type BulkActionsProps = {
  programId: number;
  selection: BulkSelection<'manageReviewCommissions'>;
  /** What the selected commissions add up to. */
  sums: { currency: string; cents: number }[];
  /** Whether they were rejected, which can be undone. */
  isRejectedList: boolean;
  onDone: () => void;
};

const DONE: Record<ReviewAction, string> = { approve: 'approved', reject: 'rejected', restore: 'restored' };

/**
 * Approves or rejects the selected commissions, or undoes their rejection. Those that cannot change are skipped. What is on the
 * screen is changed at once; what a filter matches is worked through by the service.
 */
export function BulkActions({ programId, selection, sums, isRejectedList, onDone }: BulkActionsProps) {
  const toast = useToast();
  const undoToast = useUndoToast();
  const [dialog, setDialog] = useState<ReviewAction | null>(null);
  const params = { program_id: programId };
  const close = () => {
    review.reset();
    start.reset();
    setDialog(null);
  };
  const finish = () => {
    setDialog(null);
    onDone();
  };
  // Said before the rows are fetched again: then they may be gone, and with them what was selected and this bar.
  const review = useApiMutation('manageReviewCommissions', (result, { body }) => {
    const { action, ids } = body as { action: ReviewAction; ids: number[] };
    const said = describeResult(result, 'commissions', DONE[action]);
    const undo = { route: 'manageReviewCommissions', done: 'Rejection undone' } as const;
    if (action === 'reject' && result.changed > 0) {
      undoToast(said, { ...undo, request: { params, body: { action: 'restore', ids } } });
    } else toast(said, result.changed > 0 ? 'good' : 'bad');
    finish();
  });
  const start = useApiMutation('manageStartReview', finish);
  const count = 'ids' in selection ? selection.ids.length : selection.count;
  const apply = (action: ReviewAction, reason?: string) => {
    if (!('ids' in selection)) return start.mutate({ params, body: { action, reason, ...selection } });
    review.mutate({ params, body: { action, reason, ids: selection.ids } });
  };
  const confirmation = {
    isOpen: true,
    onClose: close,
    isBusy: review.isPending || start.isPending,
    error: review.error ?? start.error,
    variant: 'primary',
  } as const;
  const noun = countOf(count, 'commissions');
  return (
    <>
      <span className="text-quiet tabular-nums">{moneyText(sums)}</span>
      {isRejectedList ? (
        <Button size="small" onClick={() => setDialog('restore')}>
          Undo rejection
        </Button>
      ) : (
        <>
          <Button size="small" onClick={() => setDialog('approve')}>
            Approve
          </Button>
          <Button size="small" variant="danger" onClick={() => setDialog('reject')}>
            Reject
          </Button>
        </>
      )}
      {dialog === 'approve' && (
        <ConfirmDialog
          {...confirmation}
          title={`Approve ${noun}?`}
          description={`${moneyText(sums)} in total. Commissions that are not pending are skipped. An approval can’t be taken back, but until you pay, you can reject them.`}
          confirmLabel="Approve"
          onConfirm={() => apply('approve')}
        />
      )}
      {dialog === 'restore' && (
        <ConfirmDialog
          {...confirmation}
          title={`Undo the rejection of ${noun}?`}
          description="They are pending or approved again, as they were before."
          confirmLabel="Undo rejection"
          onConfirm={() => apply('restore')}
        />
      )}
      {dialog === 'reject' && (
        <RejectDialog
          title={`Reject ${noun}?`}
          description={`${moneyText(sums)} in total. Partners aren’t paid for rejected commissions.`}
          isBusy={confirmation.isBusy}
          error={confirmation.error}
          onReject={(reason) => apply('reject', reason)}
          onClose={close}
        />
      )}
    </>
  );
}
