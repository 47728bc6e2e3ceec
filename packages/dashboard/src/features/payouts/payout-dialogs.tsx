import type { Row } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { formatMoney } from '../../rules/money.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog, Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';

type Payout = Row<'managePayouts'>;
type PayoutDialogProps = { programId: number; payout: Payout; onClose: () => void };

export type PayoutAction = 'mark-paid' | 'mark-failed' | 'cancel';

const DIALOGS = { 'mark-paid': MarkPaidDialog, 'mark-failed': MarkFailedDialog, cancel: CancelDialog };

/** The dialog for an action on a payout. */
export function PayoutDialog({ action, ...dialog }: PayoutDialogProps & { action: PayoutAction }) {
  const ActionDialog = DIALOGS[action];
  return <ActionDialog {...dialog} />;
}

function MarkPaidDialog({ programId, payout, onClose }: PayoutDialogProps) {
  const toast = useToast();
  const name = payout.partner_name;
  const marking = useApiMutation('manageMarkPaid', () => {
    toast(`Payout to ${name} marked as paid`);
    onClose();
  });
  return (
    <Dialog
      title={`Mark ${formatMoney(payout.amount_cents, payout.currency)} to ${name} as paid?`}
      description="Do this after you have sent the money. The commissions are marked as paid, and the partner sees it."
      isOpen
      onClose={onClose}
    >
      <Form
        error={marking.error}
        onSubmit={({ reference = '' }) =>
          marking.mutate({ params: { program_id: programId, payout_id: payout.id }, body: { reference } })
        }
      >
        <TextField
          label="Reference"
          name="reference"
          maxLength={255}
          hint="Optional. The transfer ID from your bank or PayPal, visible to the partner."
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={marking.isPending}>
            Mark as paid
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function MarkFailedDialog({ programId, payout, onClose }: PayoutDialogProps) {
  const toast = useToast();
  const name = payout.partner_name;
  const marking = useApiMutation('manageMarkFailed', () => {
    toast(`Payout to ${name} marked as failed`);
    onClose();
  });
  return (
    <Dialog
      title={`Mark ${formatMoney(payout.amount_cents, payout.currency)} to ${name} as failed?`}
      description="Do this if the money did not arrive. Its commissions become payable again, and the partner is told why."
      isOpen
      onClose={onClose}
    >
      <Form
        error={marking.error}
        onSubmit={({ reason = '' }) =>
          marking.mutate({ params: { program_id: programId, payout_id: payout.id }, body: { reason } })
        }
      >
        <TextField
          label="Reason"
          name="reason"
          required
          maxLength={500}
          hint="Visible to the partner, such as: The bank says that the account is closed."
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={marking.isPending}>
            Mark as failed
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function CancelDialog({ programId, payout, onClose }: PayoutDialogProps) {
  const toast = useToast();
  const cancellation = useApiMutation('manageCancelPayout', () => {
    toast('Payout canceled');
    onClose();
  });
  return (
    <ConfirmDialog
      title={`Cancel the payout to ${payout.partner_name}?`}
      description="Its commissions become payable again."
      confirmLabel="Cancel payout"
      cancelLabel="Keep payout"
      isOpen
      onClose={onClose}
      onConfirm={() => cancellation.mutate({ params: { program_id: programId, payout_id: payout.id } })}
      isBusy={cancellation.isPending}
      error={cancellation.error}
    />
  );
}
