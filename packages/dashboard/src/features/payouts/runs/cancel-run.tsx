import { useState } from 'react';
import { useApiMutation } from '../../../api/hooks.ts';
import type { Run } from '../../../api/payout-runs.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../../ui/forms/dialog.tsx';

/** Cancels a run that is not sent yet. */
export function CancelRun({ programId, run }: { programId: number; run: Run }) {
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const cancellation = useApiMutation('manageCancelPayoutRun', () => toast(`Payout run ${run.number} canceled`));
  const warning =
    run.status === 'approved' ? 'Do this only if no file was uploaded: a bank would still pay from it. ' : '';
  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        Cancel run…
      </Button>
      <ConfirmDialog
        title={`Cancel payout run ${run.number}?`}
        description={`${warning}All its payouts are canceled, and what they cover is due again.`}
        confirmLabel="Cancel run"
        cancelLabel="Keep run"
        isOpen={isAsking}
        onClose={() => {
          cancellation.reset();
          setAsking(false);
        }}
        onConfirm={() => cancellation.mutate({ params: { program_id: programId, run_id: run.id } })}
        isBusy={cancellation.isPending}
        error={cancellation.error}
      />
    </>
  );
}
