import { COMMISSION_BASES, COMMISSION_TYPE_NAMES, COMMISSION_TYPES, type CommissionType, maxRate } from '@svc/contract';
import { CurrencyField } from './currency-field.tsx';
import { type Option, TextField } from './field.tsx';
import { SelectField } from './select.tsx';

const TYPE_OPTIONS = COMMISSION_TYPE_NAMES.map((type): Option<CommissionType> => [type, COMMISSION_TYPES[type].label]);

type CommissionFieldsProps = {
  type: CommissionType;
  onTypeChange: (type: CommissionType) => void;
  defaultRate: number;
  defaultCurrency: string;
};

/** The type, rate and currency of a commission. The form gets the last two as `commission_rate` and `currency`. */
export function CommissionFields({ type, onTypeChange, defaultRate, defaultCurrency }: CommissionFieldsProps) {
  return (
    <>
      <SelectField
        label="Commission type"
        name="commission_type"
        options={TYPE_OPTIONS}
        value={type}
        onValueChange={onTypeChange}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label={COMMISSION_BASES[COMMISSION_TYPES[type].basis].rateLabel}
          name="commission_rate"
          type="number"
          min="0.0001"
          // A program that had a higher rate before there was a limit can keep it.
          max={Math.max(maxRate(type), defaultRate)}
          step="any"
          required
          defaultValue={defaultRate}
        />
        <CurrencyField defaultValue={defaultCurrency} />
      </div>
    </>
  );
}
