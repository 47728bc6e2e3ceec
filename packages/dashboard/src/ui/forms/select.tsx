import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { CONTROL, Field, type FieldProps, type Option } from './field.tsx';
import { FormValue } from './form-value.tsx';
import { Listbox, optionId, useActiveOption } from './listbox.tsx';
import { Popover } from './popover.tsx';

/** How long typed letters belong together. */
const TYPEAHEAD_MS = 700;

type SelectProps<Value extends string> = FieldProps & {
  options: readonly Option<Value>[];
  /** The name of its value in the form. */
  name?: string;
  required?: boolean;
  disabled?: boolean;
  value?: Value;
  defaultValue?: Value;
  onValueChange?: (value: Value) => void;
};

/** Selects one of a few options. For many, or for those on the server, there is the combobox. */
export function SelectField<Value extends string>(props: SelectProps<Value>) {
  const { label, hint, isLabelHidden, name, options, value, defaultValue, onValueChange, ...control } = props;
  const [chosen, setChosen] = useState(defaultValue);
  const selected = options.find(([option]) => option === (value ?? chosen)) ?? options[0];
  const select = (option: Value) => {
    setChosen(option);
    onValueChange?.(option);
  };
  return (
    <Field {...{ label, hint, isLabelHidden, name }}>
      {(field) => <SelectControl {...{ field, label, options, selected, name, ...control }} onSelect={select} />}
    </Field>
  );
}

type SelectControlProps<Value extends string> = {
  field: { id: string };
  label: string;
  options: readonly Option<Value>[];
  selected: Option<Value> | undefined;
  name: string | undefined;
  required?: boolean;
  disabled?: boolean;
  onSelect: (value: Value) => void;
};

function SelectControl<Value extends string>(props: SelectControlProps<Value>) {
  const { field, label, options, selected, name, required, disabled, onSelect } = props;
  const [isOpen, setOpen] = useState(false);
  const listboxId = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const { active, setActive, moveByKey } = useActiveOption(options.length);
  const findByLetters = useTypeahead(options);

  const open = (opens: boolean) => {
    if (disabled) return;
    setActive(Math.max(0, selected ? options.indexOf(selected) : 0));
    setOpen(opens);
  };
  const select = (index: number) => {
    const option = options[index];
    if (option) onSelect(option[0]);
    setOpen(false);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (!isOpen) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open(true);
      return;
    }
    if (moveByKey(event)) return;
    if (event.key === 'Tab') select(active);
    const isChoice = event.key === 'Enter' || event.key === ' ';
    if (isChoice) select(active);
    const found = isChoice ? null : findByLetters(event, active);
    if (found !== null) setActive(found);
    if (isChoice || found !== null) event.preventDefault();
  };

  const button = (
    <button
      {...field}
      ref={trigger}
      type="button"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={isOpen}
      aria-controls={isOpen ? listboxId : undefined}
      aria-activedescendant={isOpen ? optionId(listboxId, active) : undefined}
      aria-required={required}
      // Not disabled: it would lose the focus.
      aria-disabled={disabled}
      onKeyDown={handleKey}
      className={`${CONTROL} relative flex min-h-10 items-center gap-2 py-2 text-left aria-disabled:opacity-60`}
    >
      {/* Where it has too little room for a line, it takes two. */}
      <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{selected?.[1]}</span>
      <ChevronDown size={16} aria-hidden className="shrink-0 text-quiet" />
    </button>
  );
  return (
    <div className="relative">
      <FormValue {...{ name, required }} value={selected?.[0] ?? ''} onFocus={() => trigger.current?.focus()} />
      <Popover
        label={label}
        isOpen={isOpen}
        onOpenChange={open}
        trigger={button}
        keepsFocus
        className="max-h-[min(24rem,var(--radix-popover-content-available-height))]! min-w-(--radix-popover-trigger-width)"
      >
        <Listbox
          id={listboxId}
          label={label}
          options={options.map(([value, content]) => ({ value, content }))}
          active={active}
          selected={selected?.[0]}
          onActivate={setActive}
          onSelect={select}
        />
      </Popover>
    </div>
  );
}

/** Finds the next option that starts with the letters typed in quick succession. */
function useTypeahead(options: readonly Option[]) {
  const typed = useRef({ letters: '', at: 0 });
  return (event: KeyboardEvent, active: number): number | null => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return null;
    const isNew = event.timeStamp - typed.current.at > TYPEAHEAD_MS;
    const letters = (isNew ? '' : typed.current.letters) + event.key.toLowerCase();
    typed.current = { letters, at: event.timeStamp };
    // A single letter moves on from the active option, further letters narrow it down.
    const start = letters.length === 1 ? active + 1 : active;
    const order = options.map((_, step) => (start + step) % options.length);
    return order.find((index) => options[index]?.[1].toLowerCase().startsWith(letters)) ?? null;
  };
}
