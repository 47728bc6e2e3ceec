import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { CONTROL, Field, type FieldProps } from './field.tsx';
import { FormValue } from './form-value.tsx';
import { Popover } from './popover.tsx';
import { SearchPanel } from './search-panel.tsx';
import { useSettled } from './settled.ts';

/** A result of a search: its value, its name and, if it should look different from its name, its content. */
type ComboboxOption = { value: string; label: string; content?: ReactNode };

/** Options that a server finds. `key` identifies the search in the cache. */
export type OptionSearch = { key: readonly unknown[]; find: (text: string) => Promise<ComboboxOption[]> };

type ComboboxProps = FieldProps & {
  /** The name of its value in the form. */
  name?: string;
  required?: boolean;
  value: string | undefined;
  /** The name of the selected value, which the search may not contain. */
  valueLabel: string | null;
  /** Shown when nothing is selected. */
  placeholder: string;
  searchLabel: string;
  search: OptionSearch;
  /** The option that clears the selection; without it, there is always a selection. */
  clearLabel?: string;
  onValueChange: (value: string | undefined, label: string | undefined) => void;
};

/** Selects one of any number of options, found by typing part of their name. */
export function Combobox({ label, hint, isLabelHidden, ...props }: ComboboxProps) {
  return (
    <Field {...{ label, hint, isLabelHidden }} name={props.name}>
      {(field) => <ComboboxControl {...props} field={field} label={label} />}
    </Field>
  );
}

type ComboboxControlProps = Omit<ComboboxProps, keyof FieldProps> & { field: { id: string }; label: string };

function ComboboxControl(props: ComboboxControlProps) {
  const { field, label, name, required, value, valueLabel, placeholder } = props;
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const trigger = useRef<HTMLButtonElement>(null);
  const open = (opens: boolean, text = '') => {
    setTyped(text);
    setOpen(opens);
  };
  const shown = value === undefined ? placeholder : (valueLabel ?? 'Loading…');
  const button = (
    <button
      {...field}
      ref={trigger}
      type="button"
      role="combobox"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-required={required}
      onKeyDown={(event) => {
        // Like a select of the browser: what is typed looks for an option.
        if (!/^[\p{L}\p{N}]$/u.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        open(true, event.key);
      }}
      className={`${CONTROL} flex h-10 items-center gap-2 text-left`}
    >
      <span className="min-w-0 flex-1 truncate">{shown}</span>
      <ChevronDown size={16} aria-hidden className="shrink-0 text-quiet" />
    </button>
  );
  return (
    <div className="relative">
      <FormValue {...{ name, required }} value={value ?? ''} onFocus={() => trigger.current?.focus()} />
      <Popover
        label={label}
        isOpen={isOpen}
        onOpenChange={open}
        trigger={button}
        className="max-h-[min(24rem,var(--radix-popover-content-available-height))]! w-72"
      >
        <ComboboxPanel {...props} typed={typed} onClose={() => setOpen(false)} />
      </Popover>
    </div>
  );
}

function ComboboxPanel(props: ComboboxControlProps & { typed: string; onClose: () => void }) {
  const { label, value, searchLabel, search, clearLabel, typed, onValueChange, onClose } = props;
  const [text, setText] = useState(typed);
  const settled = useSettled(text.trim());
  const found = useQuery({ queryKey: ['options', ...search.key, settled], queryFn: () => search.find(settled) });
  const clear = clearLabel && settled === '' ? [{ value: '', label: clearLabel }] : [];
  const options: ComboboxOption[] = [...clear, ...(found.data ?? [])];
  return (
    <SearchPanel
      label={label}
      searchLabel={searchLabel}
      text={text}
      onText={setText}
      options={options.map((option) => ({ ...option, content: option.content ?? option.label }))}
      selected={value ?? ''}
      isBusy={found.isPending || settled !== text.trim()}
      onSelect={(option) => {
        onValueChange(option.value || undefined, option.value ? option.label : undefined);
        onClose();
      }}
      message={messageOf(found, settled)}
    />
  );
}

function messageOf({ data, error }: { data?: unknown[]; error: Error | null }, text: string): string | null {
  if (error) return error.message;
  if (!data) return 'Searching…';
  return data.length === 0 && text !== '' ? `No results for “${text}”` : null;
}
