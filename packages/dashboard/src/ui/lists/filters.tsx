import { Search as SearchIcon } from 'lucide-react';
import { type FormEvent, useId } from 'react';
import { Button } from '../forms/button.tsx';
import { type Option, SelectField, TextField } from '../forms/field.tsx';
import { type SearchParamName, type SearchParams, useSearchParams } from '../layout/search-params.ts';

type FilterSelectProps<Name extends SearchParamName> = {
  name: Name;
  /** The accessible name, and the option that turns the filter off. */
  label: string;
  options: readonly Option<NonNullable<SearchParams[Name]>>[];
};

/** Filters by one of several values. */
export function FilterSelect<Name extends SearchParamName>({ name, label, options }: FilterSelectProps<Name>) {
  const [search, setSearch] = useSearchParams();
  const value = search[name] ?? '';
  const select = (selected: string) => setSearch({ [name]: selected });
  return (
    <div className="w-36">
      <SelectField
        label={label}
        isLabelHidden
        options={[['', label], ...options]}
        value={value}
        onValueChange={select}
      />
    </div>
  );
}

/** Filters by days in UTC, including the last one. */
export function FilterDates() {
  const [{ from, to }, setSearch] = useSearchParams();
  return (
    <fieldset className="flex min-w-0 items-center gap-1.5 text-[0.8125rem] text-quiet max-sm:w-full sm:gap-2">
      <legend className="sr-only">Days in UTC, including the last one</legend>
      <DayField label="First day" name="from" value={from} max={to} onChange={setSearch} />
      <span aria-hidden>to</span>
      <DayField label="Last day" name="to" value={to} min={from} onChange={setSearch} />
      <abbr title="Days start and end at midnight UTC" className="no-underline">
        UTC
      </abbr>
    </fieldset>
  );
}

type DayFieldProps = {
  label: string;
  name: 'from' | 'to';
  value: string | undefined;
  min?: string;
  max?: string;
  onChange: (changes: SearchParams) => void;
};

function DayField({ label, name, value = '', min, max, onChange }: DayFieldProps) {
  return (
    <div className="min-w-0 max-sm:flex-1 sm:w-34">
      <TextField
        label={label}
        isLabelHidden
        title={label}
        type="date"
        className="max-sm:px-1.5!"
        value={value}
        min={min}
        max={max}
        onChange={(event) => onChange({ [name]: event.target.value })}
      />
    </div>
  );
}

/** Searches when the form is submitted, so that half-typed text does not fill the history. */
export function FilterText({ label, placeholder }: { label: string; placeholder: string }) {
  const [search, setSearch] = useSearchParams();
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSearch({ q: String(new FormData(event.currentTarget).get('q') ?? '').trim() });
  };
  return (
    <search className="min-w-52 flex-1">
      <form onSubmit={submit} className="flex gap-2" key={search.q ?? ''}>
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <input
          id={id}
          name="q"
          type="search"
          defaultValue={search.q ?? ''}
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
