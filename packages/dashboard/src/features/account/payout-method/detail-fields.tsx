import { MAX_PAYOUT_TEXT_CHARS, type PayoutKind } from '@svc/contract';
import { type Option, TextArea, TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';

const ACCOUNT_TYPES: Option<'checking' | 'savings'>[] = [
  ['checking', 'Checking'],
  ['savings', 'Savings'],
];

// Browsers offer numbers of cards in such fields, and phones correct what is typed.
const NUMBER = { autoComplete: 'off', spellCheck: false, required: true } as const;
const CAPITALS = { ...NUMBER, autoCapitalize: 'characters', autoCorrect: 'off' } as const;

/** What has to be known about the account, by kind. */
export function DetailFields({ kind }: { kind: PayoutKind }) {
  switch (kind) {
    case 'paypal':
      return <EmailField label="PayPal email" />;
    case 'wise':
      return <EmailField label="Wise email" />;
    case 'iban':
      return (
        <>
          <TextField label="IBAN" name="iban" {...CAPITALS} maxLength={64} />
          <TextField
            label="BIC"
            name="bic"
            {...CAPITALS}
            required={false}
            maxLength={32}
            hint="Only if your bank asks for it. Most don’t."
          />
        </>
      );
    case 'us_bank':
      return (
        <>
          <TextField
            label="Routing number"
            name="routing_number"
            {...NUMBER}
            inputMode="numeric"
            maxLength={32}
            hint="Nine digits, at the bottom left of a check."
          />
          <TextField label="Account number" name="account_number" {...NUMBER} inputMode="numeric" maxLength={64} />
          <SelectField label="Kind of account" name="account_type" options={ACCOUNT_TYPES} />
        </>
      );
    case 'other':
      return (
        <TextArea
          label="Where to send the money"
          name="text"
          required
          rows={3}
          maxLength={MAX_PAYOUT_TEXT_CHARS}
          autoComplete="off"
          hint="What the brand needs to pay you, as you would tell a colleague."
        />
      );
  }
}

function EmailField({ label }: { label: string }) {
  return (
    <TextField
      label={label}
      name="email"
      type="email"
      inputMode="email"
      required
      maxLength={254}
      autoComplete="email"
    />
  );
}
