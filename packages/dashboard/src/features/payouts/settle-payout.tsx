import type { Row } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { formatMoney } from '../../rules/money.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Confirm, Dialog } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';

type SettleProps = { programId: number; payout: Row<'managePayouts'>; onClose: () => void };

/** Notes that the money was sent. */
export function MarkPaid({ programId, payout, onClose }: SettleProps) {
  const say = useToast();
  const marking = useAction('manageMarkPaid', ({ partner_name: name }) => {
    say(`The payout for ${name} is paid`);
    onClose();
  });
  return (
    <Dialog
      title={`Mark ${formatMoney(payout.amount_cents, payout.currency)} for ${payout.partner_name} as paid`}
      words="Do this after you have sent the money. Its commissions become paid, and the partner sees it."
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
          hint="The bank’s or PayPal’s own number for it, if there is one. The partner sees it too."
        />
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={onClose}>Not yet</Button>
          <Button type="submit" look="primary" isBusy={marking.isPending}>
            It is paid
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Takes a payout apart again. */
export function CancelPayout({ programId, payout, onClose }: SettleProps) {
  const say = useToast();
  const cancelling = useAction('manageCancelPayout', () => {
    say('The payout is cancelled');
    onClose();
  });
  return (
    <Confirm
      title={`Cancel the payout for ${payout.partner_name}?`}
      words="What it was made of becomes payable again."
      confirm="Cancel the payout"
      isOpen
      onClose={onClose}
      onConfirm={() => cancelling.mutate({ params: { program_id: programId, payout_id: payout.id } })}
      isBusy={cancelling.isPending}
      error={cancelling.error}
    />
  );
}
