import { COMMISSION_TYPES } from '@svc/contract';
import { useState } from 'react';
import { CommissionFields } from '../../ui/forms/commission-fields.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { type Program, type ProgramChanges, SettingsForm } from './settings-form.tsx';

export function CommissionSettings({ program }: { program: Program }) {
  const [type, setType] = useState(program.commission_type);
  const toChanges = ({ rate, currency, months, hold }: Record<string, string>): ProgramChanges => ({
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
      description="Changes apply to new sales only. Existing commissions keep their terms."
      toChanges={toChanges}
    >
      <CommissionFields
        type={type}
        onTypeChange={setType}
        defaultRate={program.commission_rate}
        defaultCurrency={program.currency}
      />
      {COMMISSION_TYPES[type].renewals && (
        <TextField
          label="Renewals earn for (months)"
          name="months"
          type="number"
          min="0"
          max="3650"
          defaultValue={program.recurring_months ?? 0}
          hint="Counted from the customer’s first sale. 0 = no limit."
        />
      )}
      <TextField
        label="Hold period (days)"
        name="hold"
        type="number"
        min="0"
        max="3650"
        required
        defaultValue={program.hold_days}
        hint="Commissions stay pending this long, then they are approved automatically. Make it longer than your refund period."
      />
    </SettingsForm>
  );
}
