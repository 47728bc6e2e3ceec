import { useState } from 'react';
import { Combobox, type OptionSearch } from './combobox.tsx';
import { findCurrencies, labelOfCurrency } from './currencies.ts';

const SEARCH: OptionSearch = {
  key: ['currencies'],
  find: async (text) => findCurrencies(text).map((code) => ({ value: code, label: labelOfCurrency(code) })),
};

/** Selects one of all currencies, found by code or name. The form gets its code as `currency`. */
export function CurrencyField({ defaultValue }: { defaultValue: string }) {
  const [code, setCode] = useState(defaultValue);
  return (
    <Combobox
      label="Currency"
      name="currency"
      required
      value={code}
      valueLabel={code}
      placeholder="Select a currency"
      searchLabel="Search currencies"
      search={SEARCH}
      onValueChange={(selected) => setCode(selected ?? defaultValue)}
    />
  );
}
