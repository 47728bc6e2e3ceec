import { Search as SearchIcon } from 'lucide-react';
import { type FormEvent, useId } from 'react';
import { Button } from '../forms/button.tsx';
import { type Choice, SelectField, TextField } from '../forms/field.tsx';
import { useFilters } from '../layout/urls.ts';

/** Chooses one value of a filter that the address holds. */
export function FilterSelect({ name, label, choices }: { name: string; label: string; choices: readonly Choice[] }) {
  const [search, change] = useFilters();
  const value = search[name] ?? '';
  // The address may name one that is not among the choices; the filter is in force all the same.
  const other: Choice[] = value && !choices.some(([known]) => known === value) ? [[value, value]] : [];
  return (
    <div className="w-36">
      <SelectField
        label={label}
        isLabelHidden
        choices={[['', label], ...choices, ...other]}
        value={value}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </div>
  );
}

/** A first day and a last day, for lists. */
export function FilterDates() {
  const [search, change] = useFilters();
  const day = (name: 'from' | 'to', label: string) => (
    <div className="w-36">
      <TextField
        label={label}
        isLabelHidden
        title={label}
        type="date"
        value={search[name] ?? ''}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </div>
  );
  return (
    <fieldset className="flex items-center gap-2">
      <legend className="sr-only">Dates</legend>
      {day('from', 'From this day on')}
      <span aria-hidden className="text-quiet">
        –
      </span>
      {day('to', 'Before this day')}
    </fieldset>
  );
}

/** A search that runs when it is sent, so that half-typed words make no history. */
export function FilterText({ name, label, placeholder }: { name: string; label: string; placeholder: string }) {
  const [search, change] = useFilters();
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change({ [name]: String(new FormData(event.currentTarget).get(name) ?? '').trim() });
  };
  return (
    <search className="min-w-52 flex-1">
      <form onSubmit={submit} className="flex gap-2" key={search[name] ?? ''}>
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <input
          id={id}
          name={name}
          type="search"
          defaultValue={search[name] ?? ''}
          placeholder={placeholder}
          className="h-10 w-full min-w-0 rounded-lg border border-edge bg-card px-3 text-sm placeholder:text-quiet"
        />
        <Button type="submit" aria-label="Search">
          <SearchIcon size={16} aria-hidden />
        </Button>
      </form>
    </search>
  );
}
