import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { useApiMutation } from '../../../api/hooks.ts';
import type { Run, useStatusReport } from '../../../api/payout-runs.ts';
import { countOf } from '../../../rules/bulk.ts';
import { sumsOf } from '../../../rules/payout-run.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/notice.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { moneyText } from '../../../ui/records/money-totals.tsx';

type StepProps = { programId: number; run: Run };

/** What happened to each payment is recorded: by a report, all at once, or one by one. */
export function SentStep({ programId, run, report }: StepProps & { report: ReturnType<typeof useStatusReport> }) {
  const [isMarkingAll, setMarkingAll] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const sent = run.payouts.filter(({ status }) => status === 'sent');
  const byHand = run.payouts.filter(({ status }) => status === 'open').length;
  return (
    <TitledCard
      title="Record what happened"
      description={`${countOf(sent.length + byHand, 'payouts')} still to settle. What failed or came back falls due again, and the partner is told why.`}
    >
      <div className="space-y-4">
        <ErrorNotice error={report.error} />
        {byHand > 0 && (
          <Notice tone="warn">
            {countOf(byHand, 'payouts')} {byHand === 1 ? 'is' : 'are'} in no file. Once you have paid{' '}
            {byHand === 1 ? 'it' : 'them'} by hand, select {byHand === 1 ? 'it' : 'them'} in the table and mark as paid.
          </Notice>
        )}
        <Allowed route="manageSettlePayoutRun" to="settle payout runs">
          <div className="flex flex-wrap items-center gap-2">
            <Button variant="primary" isBusy={report.isPending} onClick={() => input.current?.click()}>
              <FileUp size={16} aria-hidden /> Upload a report…
            </Button>
            <Button disabled={sent.length === 0} onClick={() => setMarkingAll(true)}>
              Mark all as paid…
            </Button>
            <input
              ref={input}
              type="file"
              aria-label="Report of your bank or PayPal"
              accept=".xml,.csv,application/xml,text/xml,text/csv"
              className="sr-only"
              tabIndex={-1}
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file) report.mutate(file);
                // The same file can be chosen again.
                target.value = '';
              }}
            />
          </div>
          <p className="text-caption text-quiet">
            A report is your bank’s status report (pain.002, XML) or PayPal’s report (CSV). Single payouts are settled
            in the table below: select them first.
          </p>
        </Allowed>
      </div>
      {isMarkingAll && <MarkAllPaid programId={programId} run={run} sent={sent} onClose={() => setMarkingAll(false)} />}
    </TitledCard>
  );
}

type MarkAllPaidProps = StepProps & { sent: Run['payouts']; onClose: () => void };

function MarkAllPaid({ programId, run, sent, onClose }: MarkAllPaidProps) {
  const toast = useToast();
  const settling = useApiMutation('manageSettlePayoutRun', () => {
    toast(`${countOf(sent.length, 'payouts')} marked as paid`);
    onClose();
  });
  return (
    <Dialog
      title={`Mark ${countOf(sent.length, 'payouts')} as paid?`}
      description={`${moneyText(sumsOf(sent))} in total: everything that was sent and is not settled yet. The partners see it.`}
      isOpen
      onClose={onClose}
    >
      <Form
        error={settling.error}
        onSubmit={({ reference = '' }) =>
          settling.mutate({
            params: { program_id: programId, run_id: run.id },
            body: { all: 'paid', ...(reference && { reference }) },
          })
        }
      >
        <TextField
          label="Reference"
          name="reference"
          maxLength={255}
          hint="Optional. The same for all of them, such as the ID of the batch. The partners see it."
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={settling.isPending}>
            Mark all as paid
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
