import type { Run } from '../../../api/payout-runs.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';

type LeaveOutDialogProps = {
  run: Run;
  partnerName: string;
  isBusy: boolean;
  error: Error | null;
  onLeaveOut: (note: string) => void;
  onClose: () => void;
};

/** Asks why a partner is left out. A draft is never changed, so this makes another one. */
export function LeaveOutDialog({ run, partnerName, isBusy, error, onLeaveOut, onClose }: LeaveOutDialogProps) {
  return (
    <Dialog
      title={`Leave out ${partnerName}?`}
      description={`Payout run ${run.number} is canceled, and a new draft is made without ${partnerName}, up to the same cutoff. ${partnerName} keeps the balance.`}
      isOpen
      onClose={onClose}
    >
      <Form error={error} onSubmit={({ note = '' }) => onLeaveOut(note.trim())}>
        <TextField
          label="Why"
          name="note"
          maxLength={500}
          hint="Optional. For your team, such as: Waiting for their invoice."
        />
        <DialogActions>
          <Button onClick={onClose}>Keep draft</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            Make a new draft
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
