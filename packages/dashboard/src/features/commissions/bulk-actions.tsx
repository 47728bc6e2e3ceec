import type { ReviewAction } from '@svc/contract';
import { useState } from 'react';
import { type BulkSelection, useBulkChange } from '../../api/bulk.ts';
import { countOf, describeResult } from '../../rules/bulk.ts';
import { formatCount } from '../../rules/money.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
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

/** Approves or rejects the selected commissions, or undoes their rejection. Those that cannot change are skipped. */
export function BulkActions({ programId, selection, sums, isRejectedList, onDone }: BulkActionsProps) {
  const toast = useToast();
  const [dialog, setDialog] = useState<ReviewAction | null>(null);
  const review = useBulkChange('manageReviewCommissions', programId);
  const count = 'ids' in selection ? selection.ids.length : selection.count;
  const close = () => {
    review.reset();
    setDialog(null);
  };
  const apply = (action: ReviewAction, reason?: string) =>
    review.mutate(
      { selection, change: { action, reason } },
      {
        onSuccess: (result) => {
          toast(describeResult(result, 'commissions', DONE[action]), result.changed > 0 ? 'good' : 'bad');
          setDialog(null);
          onDone();
        },
        onError: (error) => dialog === null && toast(error.message, 'bad'),
      },
    );
  // What is on the screen needs no confirmation. What is on other pages does.
  const approve = () => ('ids' in selection ? apply('approve') : setDialog('approve'));
  const progress = review.isPending && count > 200 ? `${formatCount(review.done)} of ${formatCount(count)} done` : null;
  const confirmation = {
    isOpen: true,
    onClose: close,
    isBusy: review.isPending,
    error: review.error,
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
          <Button size="small" isBusy={review.isPending && dialog === null} onClick={approve}>
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
          description={progress ?? `${moneyText(sums)} in total. Commissions that are not pending are skipped.`}
          confirmLabel="Approve"
          onConfirm={() => apply('approve')}
        />
      )}
      {dialog === 'restore' && (
        <ConfirmDialog
          {...confirmation}
          title={`Undo the rejection of ${noun}?`}
          description={progress ?? 'They are pending or approved again, as they were before.'}
          confirmLabel="Undo rejection"
          onConfirm={() => apply('restore')}
        />
      )}
      {dialog === 'reject' && (
        <RejectDialog
          title={`Reject ${noun}?`}
          description={progress ?? `${moneyText(sums)} in total. Partners aren’t paid for rejected commissions.`}
          isBusy={review.isPending}
          error={review.error}
          onReject={(reason) => apply('reject', reason)}
          onClose={close}
        />
      )}
    </>
  );
}
