import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import type { Version } from './rule-list.tsx';

/** Whether the version has not begun. */
export function isScheduled({ effective_from: from }: Version): boolean {
  return Date.parse(from) > Date.now();
}

export function WithdrawButton({ programId, version: { version } }: { programId: number; version: Version }) {
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const withdrawal = useApiMutation('manageWithdrawTerms', () => {
    setAsking(false);
    toast(`Version ${version} withdrawn`);
  });
  return (
    <Allowed route="manageWithdrawTerms">
      <Button size="small" onClick={() => setAsking(true)}>
        Withdraw
      </Button>
      <ConfirmDialog
        title={`Withdraw version ${version}?`}
        description="It will not come into force. The terms stay as they are."
        confirmLabel="Withdraw"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => withdrawal.mutate({ params: { program_id: programId, version } })}
        isBusy={withdrawal.isPending}
        error={withdrawal.error}
      />
    </Allowed>
  );
}
