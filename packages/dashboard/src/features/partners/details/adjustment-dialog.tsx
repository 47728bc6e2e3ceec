import { MAX_REASON_CHARS, type ManualKind } from '@svc/contract';
import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import { formatMoney, parseUnits } from '../../../rules/money.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { CurrencyField } from '../../../ui/forms/currency-field.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { type Option, TextArea, TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';

const KINDS: Option<ManualKind>[] = [
  ['bonus', 'Bonus'],
  ['adjustment', 'Adjustment'],
];
const HINTS: Record<ManualKind, string> = {
  bonus: 'A reward on top of commissions.',
  adjustment: 'A correction. A negative amount is deducted from the next payout.',
};

type AdjustmentDialogProps = { programId: number; partner: { id: number; name: string }; onClose: () => void };

/** Gives a partner a bonus, or corrects what they earned. */
export function AdjustmentDialog({ programId, partner, onClose }: AdjustmentDialogProps) {
  const toast = useToast();
  const [kind, setKind] = useState<ManualKind>('bonus');
  const program = useApiQuery('manageProgram', { params: { program_id: programId } }).data?.data;
  const addition = useApiMutation('manageAddAdjustment', ({ commission_cents: cents, currency }) => {
    onClose();
    const amount = formatMoney(Math.abs(cents), currency);
    toast(`${amount} ${cents < 0 ? 'deducted from' : 'added to'} ${partner.name}’s earnings`);
  });
  const add = ({ amount_cents: amount = '', currency = '', reason = '' }: Record<string, string>) =>
    addition.mutate({
      params: { program_id: programId },
      body: { partner_id: partner.id, kind, amount_cents: parseUnits(amount, currency), currency, reason },
    });
  return (
    <Dialog
      title={`Bonus or adjustment for ${partner.name}`}
      description="It is approved at once and goes into the next payout. Until then you can reject it like a commission."
      isOpen
      onClose={onClose}
    >
      <Form error={addition.error} onSubmit={add}>
        <SelectField label="Kind" name="kind" options={KINDS} value={kind} onValueChange={setKind} hint={HINTS[kind]} />
        <div className="grid grid-cols-2 gap-4">
          <TextField
            label="Amount"
            name="amount_cents"
            type="number"
            step="any"
            required
            {...(kind === 'bonus' && { min: '0' })}
          />
          {program && <CurrencyField defaultValue={program.currency} />}
        </div>
        <TextArea
          label="Reason"
          name="reason"
          required
          rows={2}
          maxLength={MAX_REASON_CHARS}
          hint="The partner sees it and is emailed about it."
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={addition.isPending}>
            Add
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
