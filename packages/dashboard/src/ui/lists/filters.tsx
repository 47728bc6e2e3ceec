import { Search as SearchIcon } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import { datePresets, formatRange, todayOf } from '../../rules/calendar.ts';
import { DateRange } from '../forms/date-range.tsx';
import { CONTROL, type Option } from '../forms/field.tsx';
import { SelectField } from '../forms/select.tsx';
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
    // As wide as what is chosen, so that nothing of it is cut. On a phone, two share a line if both have room there.
    <div className="max-sm:min-w-[calc(50%-0.25rem)] max-sm:flex-auto sm:max-w-72 sm:min-w-36">
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
  const presets = datePresets(todayOf(new Date())).map(([title, range]) => ({
    title,
    isSelected: from === range.from && to === range.to,
    onSelect: () => setSearch(range),
  }));
  const isFiltered = from !== undefined || to !== undefined;
  const all = {
    title: 'All time',
    isSelected: !isFiltered,
    onSelect: () => setSearch({ from: undefined, to: undefined }),
  };
  return (
    <DateRange
      label="Dates"
      text={presets.find(({ isSelected }) => isSelected)?.title ?? describeDates(from, to)}
      range={{ from, to }}
      presets={[all, ...presets]}
      onChange={setSearch}
    />
  );
}

function describeDates(from: string | undefined, to: string | undefined): string {
  if (from && to) return formatRange({ from, to });
  if (from) return `Since ${formatRange({ from, to: from })}`;
  return to ? `Until ${formatRange({ from: to, to })}` : 'All time';
}

/** How long nobody has typed when the list is searched. */
const TYPING_PAUSE_MS = 300;

/** Searches while people type, once they pause, and at once on Enter or when they go on to something else. */
export function FilterText({ label, placeholder }: { label: string; placeholder: string }) {
  const [search, setSearch] = useSearchParams();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const text = search.q ?? '';
  // Follows the URL, such as after going back, but never takes away what is being typed.
  useEffect(() => {
    const { current: field } = input;
    if (field && pause.current === undefined && field.value.trim() !== text) field.value = text;
  }, [text]);
  useEffect(() => () => clearTimeout(pause.current), []);
  const find = () => {
    clearTimeout(pause.current);
    pause.current = undefined;
    const typed = input.current?.value.trim() ?? '';
    // One entry in the history for each search, not for each pause.
    if (typed !== text) setSearch({ q: typed || undefined }, { replace: text !== '' });
  };
  const wait = () => {
    clearTimeout(pause.current);
    pause.current = setTimeout(find, TYPING_PAUSE_MS);
  };
  // What is pressed next is about what was typed.
  const leave = () => {
    if (pause.current !== undefined) find();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    find();
  };
  return (
    <search className="min-w-52 flex-1">
      <form onSubmit={submit} className="relative">
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <input
          id={id}
          ref={input}
          name="q"
          type="search"
          defaultValue={text}
          onChange={wait}
          onBlur={leave}
          placeholder={placeholder}
          className={`${CONTROL} h-10 pl-10!`}
        />
        <button
          type="submit"
          aria-label="Search"
          className="absolute inset-y-0 left-0 grid w-10 place-items-center rounded-lg text-quiet hover:text-ink"
        >
          <SearchIcon size={16} aria-hidden />
        </button>
      </form>
    </search>
  );
}
