import { Search } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useFieldError } from './field-error.ts';
import { FormValue } from './form-value.tsx';

/** One of many things to choose, and what it means. */
type Choice = { value: string; about: string };
type ChoiceGroup = { title: string; choices: readonly Choice[] };

type ChoiceListProps = {
  label: string;
  /** The name of its value in the form: the chosen values, separated by commas. */
  name?: string;
  /** The value that stands for all of them, and its label. */
  all: { value: string; label: string };
  groups: readonly ChoiceGroup[];
  searchLabel: string;
  value: readonly string[];
  onValueChange: (value: string[]) => void;
};

/** Selects any number of things, in groups and with a search, or all of them at once. */
export function ChoiceList({ label, name, all, groups, searchLabel, value, onValueChange }: ChoiceListProps) {
  const id = useId();
  const everything = useRef<HTMLInputElement>(null);
  const error = useFieldError(name);
  const isAll = value.includes(all.value);
  return (
    <fieldset className="min-w-0" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="relative">
        <FormValue name={name} value={value.join(',')} onFocus={() => everything.current?.focus()} />
        <label className="flex w-fit items-center gap-2.5 text-sm">
          <input
            ref={everything}
            type="checkbox"
            className="size-4 accent-accent"
            checked={isAll}
            onChange={() => onValueChange(isAll ? [] : [all.value])}
          />
          {all.label}
        </label>
      </div>
      {!isAll && <Choices {...{ groups, searchLabel, value, onValueChange }} />}
      <div role="alert" className="empty:hidden">
        {error && (
          <p id={`${id}-error`} className="mt-1.5 text-caption text-bad">
            {error}
          </p>
        )}
      </div>
    </fieldset>
  );
}

type ChoicesProps = Pick<ChoiceListProps, 'groups' | 'searchLabel' | 'value' | 'onValueChange'>;

function Choices({ groups, searchLabel, value, onValueChange }: ChoicesProps) {
  const [text, setText] = useState('');
  const found = matching(groups, text.trim().toLowerCase());
  const toggle = (choice: string) =>
    onValueChange(value.includes(choice) ? value.filter((other) => other !== choice) : [...value, choice]);
  return (
    <div className="mt-2.5 rounded-lg border border-edge">
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Search size={16} aria-hidden className="shrink-0 text-quiet" />
        <input
          type="search"
          aria-label={searchLabel}
          placeholder={searchLabel}
          value={text}
          onChange={(event) => setText(event.target.value)}
          // It is part of a form, which Enter would submit.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          className="h-10 w-full min-w-0 bg-transparent text-sm outline-none placeholder:text-quiet"
        />
      </div>
      <div className="max-h-56 space-y-3 overflow-y-auto p-3">
        {found.map(({ title, choices }) => (
          <Group key={title} title={title}>
            {choices.map((choice) => (
              <label key={choice.value} className="flex items-start gap-2.5 text-sm">
                <input
                  type="checkbox"
                  className="mt-0.5 size-4 shrink-0 accent-accent"
                  checked={value.includes(choice.value)}
                  onChange={() => toggle(choice.value)}
                />
                <span className="min-w-0">
                  <span className="font-mono text-caption">{choice.value}</span>
                  <span className="block text-caption text-quiet">{choice.about}</span>
                </span>
              </label>
            ))}
          </Group>
        ))}
        {found.length === 0 && <p className="text-caption text-quiet">No results for “{text.trim()}”</p>}
      </div>
      <p role="status" className="border-t border-line px-3 py-2 text-caption text-quiet">
        {value.length} selected
      </p>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would be announced twice for every checkbox
    <div role="group" aria-labelledby={id} className="space-y-2">
      <p id={id} className="text-xs font-medium text-quiet">
        {title}
      </p>
      {children}
    </div>
  );
}

/** The groups with what contains the text. A group whose title does is there as a whole. */
function matching(groups: readonly ChoiceGroup[], text: string): ChoiceGroup[] {
  return groups
    .map(({ title, choices }) => ({
      title,
      choices: choices.filter(({ value, about }) => `${title} ${value} ${about}`.toLowerCase().includes(text)),
    }))
    .filter(({ choices }) => choices.length > 0);
}
