import { COMMISSION_BASES, COMMISSION_TYPES, isCommissionType } from '@svc/contract';
import { useState } from 'react';
import { COMMISSION_CHOICES } from '../../ui/forms/commission-choices.ts';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { type Changes, type Program, SettingsForm } from './settings-form.tsx';

export function CommissionSettings({ program }: { program: Program }) {
  const [type, setType] = useState(program.commission_type);
  const { basis, renewals } = COMMISSION_TYPES[type];
  const changesOf = ({ rate, currency, months, hold }: Record<string, string>): Changes => ({
    commission_type: type,
    commission_rate: Number(rate),
    currency,
    hold_days: Number(hold),
    ...(months !== undefined && { recurring_months: Number(months) || null }),
  });
  return (
    <SettingsForm
      program={program}
      title="Commission"
      words="For new sales only: commissions that exist keep the terms they were made under."
      changesOf={changesOf}
    >
      <SelectField
        label="Partners earn"
        choices={COMMISSION_CHOICES}
        value={type}
        onChange={({ target }) => isCommissionType(target.value) && setType(target.value)}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label={COMMISSION_BASES[basis].rateLabel}
          name="rate"
          type="number"
          min="0.0001"
          step="any"
          required
          defaultValue={program.commission_rate}
        />
        <TextField
          label="Currency"
          name="currency"
          required
          pattern="[A-Za-z]{3}"
          maxLength={3}
          defaultValue={program.currency}
        />
      </div>
      {renewals && (
        <TextField
          label="Months that renewals earn"
          name="months"
          type="number"
          min="0"
          max="3650"
          defaultValue={program.recurring_months ?? 0}
          hint="0: without end."
        />
      )}
      <TextField
        label="Hold, in days"
        name="hold"
        type="number"
        min="0"
        max="3650"
        required
        defaultValue={program.hold_days}
        hint="How long a commission stays pending before it is approved by itself. Longer than your refund period is wise."
      />
    </SettingsForm>
  );
}
