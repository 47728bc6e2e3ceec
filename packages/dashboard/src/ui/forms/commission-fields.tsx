import type { CommissionType } from '@svc/contract';
import { type Option, SelectField, TextField } from './field.tsx';

type TypeInfo = { label: string; isPercent: boolean; isRecurring: boolean };

/** How each commission type is described, and which fields it needs. */
export const COMMISSION_TYPES: Record<CommissionType, TypeInfo> = {
  percent: { label: 'Percentage of each sale, not renewals', isPercent: true, isRecurring: false },
  recurring_percent: { label: 'Percentage of each sale and renewal', isPercent: true, isRecurring: true },
  fixed: { label: 'Fixed amount per sale, not renewals', isPercent: false, isRecurring: false },
  recurring_fixed: { label: 'Fixed amount per sale and renewal', isPercent: false, isRecurring: true },
};

const TYPE_OPTIONS = (['percent', 'recurring_percent', 'fixed', 'recurring_fixed'] as const).map(
  (type): Option<CommissionType> => [type, COMMISSION_TYPES[type].label],
);

type CommissionFieldsProps = {
  type: CommissionType;
  onTypeChange: (type: CommissionType) => void;
  defaultRate: number;
  defaultCurrency: string;
};

/** The type, rate and currency of a commission. The form gets the last two as `rate` and `currency`. */
export function CommissionFields({ type, onTypeChange, defaultRate, defaultCurrency }: CommissionFieldsProps) {
  return (
    <>
      <SelectField label="Commission type" options={TYPE_OPTIONS} value={type} onValueChange={onTypeChange} />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label={COMMISSION_TYPES[type].isPercent ? 'Percent' : 'Amount'}
          name="rate"
          type="number"
          min="0.0001"
          step="any"
          required
          defaultValue={defaultRate}
        />
        <TextField
          label="Currency"
          name="currency"
          required
          pattern="[A-Za-z]{3}"
          maxLength={3}
          defaultValue={defaultCurrency}
        />
      </div>
    </>
  );
}
