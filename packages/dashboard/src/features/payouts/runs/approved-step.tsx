import { useState } from 'react';
import { useApiMutation } from '../../../api/hooks.ts';
import type { Run } from '../../../api/payout-runs.ts';
import { countOf } from '../../../rules/bulk.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../../ui/forms/dialog.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { CancelRun } from './cancel-run.tsx';
import { RunFiles } from './run-files.tsx';

type StepProps = { programId: number; run: Run };

/** The files are uploaded elsewhere, then the run is marked as sent. */
export function ApprovedStep({ programId, run }: StepProps) {
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const sending = useApiMutation('manageSendPayoutRun', () => toast(`Payout run ${run.number} marked as sent`));
  const byHand = run.payouts.filter(({ not_in_file: why }) => why !== null).length;
  return (
    <TitledCard
      title="Send the money"
      description="Download each file once, upload it to your bank or payment service, and then mark the run as sent."
    >
      <div className="space-y-4">
        <div className="overflow-hidden rounded-lg border border-line">
          <RunFiles programId={programId} run={run} />
        </div>
        {byHand > 0 && (
          <Notice tone="warn">
            {countOf(byHand, 'payouts')} {byHand === 1 ? 'is' : 'are'} in no file for a bank. Pay{' '}
            {byHand === 1 ? 'it' : 'them'} by hand.
          </Notice>
        )}
        <Allowed route="manageSendPayoutRun" to="mark runs as sent">
          <div className="flex flex-wrap items-center gap-2">
            <Button variant="primary" onClick={() => setAsking(true)}>
              Mark as sent…
            </Button>
            <CancelRun programId={programId} run={run} />
          </div>
        </Allowed>
      </div>
      <ConfirmDialog
        title={`Mark payout run ${run.number} as sent?`}
        description="Do this once your bank and payment services have the files. The run can’t be canceled afterwards."
        confirmLabel="Mark as sent"
        variant="primary"
        isOpen={isAsking}
        onClose={() => {
          sending.reset();
          setAsking(false);
        }}
        onConfirm={() => sending.mutate({ params: { program_id: programId, run_id: run.id } })}
        isBusy={sending.isPending}
        error={sending.error}
      />
    </TitledCard>
  );
}
