import { useId } from 'react';
import { useApiMutation } from '../../../api/hooks.ts';
import type { Run } from '../../../api/payout-runs.ts';
import { countOf } from '../../../rules/bulk.ts';
import { sumsOf } from '../../../rules/payout-run.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { moneyText } from '../../../ui/records/money-totals.tsx';
import { COMMON_CODES } from './run-words.ts';

export type Outcome = 'paid' | 'failed' | 'returned';

const ABOUT: Record<Outcome, string> = {
  paid: 'The partners see it.',
  failed: 'The bank or payment service did not carry it out. It falls due again, and the partner is mailed the reason.',
  returned: 'The money came back. It falls due again, and the partner is mailed the reason.',
};

type SettleDialogProps = {
  programId: number;
  run: Run;
  payouts: Run['payouts'];
  outcome: Outcome;
  onClose: () => void;
  onDone: () => void;
};

/** Records what happened to the selected payouts: to all of them, or to none. */
export function SettleDialog({ programId, run, payouts, outcome, onClose, onDone }: SettleDialogProps) {
  const toast = useToast();
  const [only] = payouts;
  const noun = payouts.length === 1 && only ? `the payout to ${only.partner_name}` : countOf(payouts.length, 'payouts');
  const settling = useApiMutation('manageSettlePayoutRun', () => {
    toast(`${countOf(payouts.length, 'payouts')} marked as ${outcome}`);
    onDone();
    onClose();
  });
  const settle = (values: Record<string, string>) => {
    const said = Object.fromEntries(
      (['reference', 'code', 'reason'] as const).flatMap((name) => {
        const value = values[name]?.trim();
        return value ? [[name, value]] : [];
      }),
    );
    settling.mutate({
      params: { program_id: programId, run_id: run.id },
      body: { payouts: payouts.map(({ id }) => ({ id, status: outcome, ...said })) },
    });
  };
  return (
    <Dialog
      title={`Mark ${noun} as ${outcome}?`}
      description={`${moneyText(sumsOf(payouts))}. ${ABOUT[outcome]}`}
      isOpen
      onClose={onClose}
    >
      <Form error={settling.error} onSubmit={settle}>
        {outcome === 'paid' ? (
          <TextField
            label="Reference"
            name="reference"
            maxLength={255}
            hint="Optional. The ID of the transfer or batch, visible to the partners."
          />
        ) : (
          <FailureFields />
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={settling.isPending}>
            Mark as {outcome}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** A code of the bank, or a reason in words; usually one of them. */
function FailureFields() {
  const id = useId();
  return (
    <>
      <TextField
        label="Code"
        name="code"
        maxLength={35}
        list={id}
        autoComplete="off"
        placeholder="AC04"
        hint="The code that your bank or PayPal gives. We say in words what it means."
      />
      <datalist id={id}>
        {COMMON_CODES.map(([code, meaning]) => (
          <option key={code} value={code} label={`${code}: ${meaning}`} />
        ))}
      </datalist>
      <TextField
        label="Reason"
        name="reason"
        maxLength={500}
        hint="In words for the partner. Leave it empty to use those of the code."
      />
    </>
  );
}
