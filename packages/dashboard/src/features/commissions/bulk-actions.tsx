import { useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';

type BulkActionsProps = { programId: number; ids: number[]; onDone: () => void };

/** Approves or rejects the selected commissions. Those that fail do not affect the others. */
export function BulkActions({ programId, ids, onDone }: BulkActionsProps) {
  const toast = useToast();
  const [isConfirming, setConfirming] = useState(false);
  const showResult = (verb: string) => (results: Data<'manageApproveMany'>) => {
    const done = results.filter(({ outcome }) => outcome === 'done').length;
    const failed = results.length - done;
    const message = `${countCommissions(done)} ${verb}`;
    toast(failed === 0 ? message : `${message}, ${failed} couldn’t be ${verb}`, failed === 0 ? 'good' : 'bad');
    setConfirming(false);
    onDone();
  };
  const approval = useApiMutation('manageApproveMany', showResult('approved'));
  const rejection = useApiMutation('manageRejectMany', showResult('rejected'));
  const request = { params: { program_id: programId }, body: { ids } };
  return (
    <>
      <Button size="small" isBusy={approval.isPending} onClick={() => approval.mutate(request)}>
        Approve
      </Button>
      <Button size="small" variant="danger" onClick={() => setConfirming(true)}>
        Reject
      </Button>
      <ConfirmDialog
        title={`Reject ${countCommissions(ids.length)}?`}
        description="Partners won’t be paid for them. This can’t be undone."
        confirmLabel="Reject"
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => rejection.mutate(request)}
        isBusy={rejection.isPending}
        error={rejection.error}
      />
    </>
  );
}

const countCommissions = (count: number) => `${count} ${count === 1 ? 'commission' : 'commissions'}`;
