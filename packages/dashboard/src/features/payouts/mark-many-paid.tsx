import { useState } from 'react';
import type { BulkSelection } from '../../api/bulk.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { countOf, describeResult } from '../../rules/bulk.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { moneyText } from '../../ui/records/money-totals.tsx';

type MarkManyPaidProps = {
  programId: number;
  selection: BulkSelection<'manageMarkPayoutsPaid'>;
  /** The selected payouts, or their sums by currency. */
  payouts: readonly { currency: string; amount_cents: number }[];
  onDone: () => void;
};

/** Marks the selected payouts as paid, with one reference: those on the screen at once, those of a filter by the service. */
export function MarkManyPaid({ programId, selection, payouts, onDone }: MarkManyPaidProps) {
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const params = { program_id: programId };
  const finish = () => {
    setOpen(false);
    onDone();
  };
  const marking = useApiMutation('manageMarkPayoutsPaid', (result) => {
    toast(describeResult(result, 'payouts', 'marked as paid'), result.changed > 0 ? 'good' : 'bad');
    finish();
  });
  const start = useApiMutation('manageStartMarkingPaid', finish);
  const count = 'ids' in selection ? selection.ids.length : selection.count;
  const sums = sumsOf(payouts);
  const sum = moneyText(sums.map(({ currency, amount_cents: cents }) => ({ currency, cents })));
  const close = () => {
    marking.reset();
    start.reset();
    setOpen(false);
  };
  const mark = (reference: string) =>
    'ids' in selection
      ? marking.mutate({ params, body: { ...selection, reference } })
      : start.mutate({ params, body: { ...selection, totals: sums, reference } });
  return (
    <>
      <span className="text-quiet tabular-nums">{sum}</span>
      <Button size="small" variant="primary" onClick={() => setOpen(true)}>
        Mark as paid
      </Button>
      <Dialog
        title={`Mark ${countOf(count, 'payouts')} as paid?`}
        description={`${sum} in total. Do this after you have sent the money. Their commissions are marked as paid, and the partners see it.`}
        isOpen={isOpen}
        onClose={close}
      >
        <Form error={marking.error ?? start.error} onSubmit={({ reference = '' }) => mark(reference)}>
          <TextField
            label="Reference"
            name="reference"
            maxLength={255}
            hint="Optional. The same for all of them, such as the ID of a batch transfer. The partners see it."
          />
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" variant="primary" isBusy={marking.isPending || start.isPending}>
              Mark as paid
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}

function sumsOf(payouts: MarkManyPaidProps['payouts']): { currency: string; amount_cents: number }[] {
  const sums = new Map<string, number>();
  for (const { currency, amount_cents: cents } of payouts) sums.set(currency, (sums.get(currency) ?? 0) + cents);
  return [...sums].map(([currency, cents]) => ({ currency, amount_cents: cents }));
}
