import { COMMISSION_BASE_NAMES, COMMISSION_TYPES, COMMISSIONABLE_AMOUNTS, type CommissionBase } from '@svc/contract';
import { useState } from 'react';
import { CommissionFields } from '../../ui/forms/commission-fields.tsx';
import { FetchedForm } from '../../ui/forms/fetched-form.tsx';
import { type Option, TextField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { type Program, type ProgramChanges, SettingsForm } from './settings-form.tsx';
import { TermsHistory } from './terms-history.tsx';

const BASE_OPTIONS = COMMISSION_BASE_NAMES.map(
  (base): Option<CommissionBase> => [base, COMMISSIONABLE_AMOUNTS[base].label],
);

/** What the form changes. */
function commissionOf(program: Program) {
  const { commission_type, commission_rate, commission_base, currency, hold_days, recurring_months } = program;
  return { commission_type, commission_rate, commission_base, currency, hold_days, recurring_months };
}

export function CommissionSettings({ program }: { program: Program }) {
  return (
    <div className="space-y-6">
      <FetchedForm value={commissionOf(program)}>
        {(fetched) => <CommissionForm program={{ ...program, ...fetched }} />}
      </FetchedForm>
      <TermsHistory programId={program.id} />
    </div>
  );
}

function CommissionForm({ program }: { program: Program }) {
  const [base, setBase] = useState(program.commission_base);
  const [type, setType] = useState(program.commission_type);
  const toChanges = (values: Record<string, string>): ProgramChanges => ({
    commission_type: type,
    commission_rate: Number(values.commission_rate),
    commission_base: base,
    currency: values.currency,
    hold_days: Number(values.hold_days),
    ...(values.recurring_months !== undefined && { recurring_months: Number(values.recurring_months) || null }),
  });
  return (
    <SettingsForm
      program={program}
      title="Commission"
      description="Changes apply to payments made from now on. Earlier ones follow the rules of their time, even if they are reported later."
      toChanges={toChanges}
    >
      <CommissionFields
        type={type}
        onTypeChange={setType}
        defaultRate={program.commission_rate}
        defaultCurrency={program.currency}
      />
      {COMMISSION_TYPES[type].basis === 'percent' && (
        <SelectField
          label="Commission on"
          name="commission_base"
          options={BASE_OPTIONS}
          value={base}
          onValueChange={setBase}
          hint="Tax and shipping are known as far as they are reported: by the payment processor, or by your server with the sale."
        />
      )}
      {COMMISSION_TYPES[type].renewals && (
        <TextField
          label="Renewals earn for (months)"
          name="recurring_months"
          type="number"
          min="0"
          max="3650"
          defaultValue={program.recurring_months ?? 0}
          hint="Counted from the customer’s first sale. 0 = no limit."
        />
      )}
      <TextField
        label="Hold period (days)"
        name="hold_days"
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
