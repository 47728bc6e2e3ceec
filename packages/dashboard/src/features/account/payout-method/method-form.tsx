import { COUNTRIES, MAX_HOLDER_NAME_CHARS, PAYOUT_KINDS, type PayoutKind } from '@svc/contract';
import { useState } from 'react';
import type { Call } from '../../../api/client.ts';
import { useApiMutation } from '../../../api/hooks.ts';
import { countryName } from '../../../rules/payout-kinds.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Combobox, type OptionSearch } from '../../../ui/forms/combobox.tsx';
import { type Option, TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { DetailFields } from './detail-fields.tsx';
import { KindChoice } from './kind-choice.tsx';

const HOLDER_KINDS: Option<'person' | 'company'>[] = [
  ['person', 'A person'],
  ['company', 'A company'],
];

/** What the account is called where the holder is known. */
const KNOWN_TO: Record<PayoutKind, string> = {
  paypal: 'As PayPal knows you.',
  wise: 'As Wise knows you.',
  iban: 'As your bank knows you. If the name differs, your bank may refuse the money.',
  us_bank: 'As your bank knows you. If the name differs, your bank may refuse the money.',
  other: 'As your bank knows you.',
};

type Sent = NonNullable<Call<'manageSetPayoutMethod'>['body']>;

/** Asks where the user wants to be paid. What is stored is not shown again, so the form starts empty. */
export function MethodForm({ isChange }: { isChange: boolean }) {
  const toast = useToast();
  const [kind, setKind] = useState<PayoutKind | undefined>();
  const saving = useApiMutation('manageSetPayoutMethod', () => toast('Payout method saved'));
  const save = (values: Record<string, string>) => {
    const sent = Object.entries(values).filter(([, value]) => value !== '');
    saving.mutate({ body: Object.fromEntries(sent) as Sent });
  };
  return (
    <TitledCard
      title={isChange ? 'Change your payout method' : 'Add a payout method'}
      description={
        isChange
          ? 'Payouts can use the new one after 72 hours, in case it wasn’t you who changed it. We’ll email you.'
          : 'Choose how you want to be paid. Check first that it reaches your country and the currency you earn.'
      }
    >
      <Form onSubmit={save} error={saving.error} label="Payout method">
        <KindChoice kinds={PAYOUT_KINDS} chosen={kind} onChoose={setKind} />
        {kind && (
          <>
            <DetailFields key={kind} kind={kind} />
            <TextField
              label="Account holder"
              name="holder_name"
              required
              maxLength={MAX_HOLDER_NAME_CHARS}
              autoComplete="name"
              hint={KNOWN_TO[kind]}
            />
            <SelectField label="The account holder is" name="holder_kind" options={HOLDER_KINDS} />
            <CountryField />
            <Button type="submit" variant="primary" isBusy={saving.isPending}>
              Save payout method
            </Button>
          </>
        )}
      </Form>
    </TitledCard>
  );
}

const NAMED = COUNTRIES.map((code) => ({ value: code, label: countryName(code) })).toSorted((one, other) =>
  one.label.localeCompare(other.label, 'en'),
);
const SEARCH: OptionSearch = {
  key: ['countries'],
  find: async (text) =>
    NAMED.filter(({ value, label }) => `${value} ${label}`.toLowerCase().includes(text.trim().toLowerCase())),
};

function CountryField() {
  const [code, setCode] = useState<string | undefined>();
  return (
    <Combobox
      label="Country"
      name="country"
      required
      value={code}
      valueLabel={code ? countryName(code) : null}
      placeholder="Select a country"
      searchLabel="Search countries"
      search={SEARCH}
      onValueChange={setCode}
      hint="Where the account holder lives or is registered."
    />
  );
}
