import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import type { Version } from './rule-list.tsx';

/** How far the clock of a browser may be behind that of the service. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Whether the version has not begun. One that was just published has, even if this clock is behind. */
export function isScheduled({ effective_from: from }: Version): boolean {
  return Date.parse(from) > Date.now() + CLOCK_SKEW_MS;
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
        description="It will not come into force. The commission rules stay as they are."
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
