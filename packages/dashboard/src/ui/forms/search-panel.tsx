import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { Listbox, optionId, useActiveOption } from './listbox.tsx';

type SearchPanelProps<Option> = {
  /** The name of the options. */
  label: string;
  searchLabel: string;
  text: string;
  onText: (text: string) => void;
  options: readonly Option[];
  selected: string | undefined;
  /** Whether the options still belong to an earlier text. They cannot be chosen by Enter then. */
  isBusy?: boolean;
  onSelect: (option: Option) => void;
  /** What is said below the options, such as that there are none. */
  message: string | null;
};

/** A search field over the options that it has found. The focus stays in the field, and the arrow keys move over the options. */
export function SearchPanel<Option extends { value: string; content: ReactNode }>(props: SearchPanelProps<Option>) {
  const { label, searchLabel, text, onText, options, selected, isBusy = false, onSelect, message } = props;
  const listboxId = useId();
  const { active, setActive, moveByKey } = useActiveOption(options.length);
  const select = (index: number) => {
    const option = options[index];
    if (option) onSelect(option);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Home' && event.key !== 'End' && moveByKey(event)) return;
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (!isBusy) select(active);
  };
  return (
    <>
      <div className="sticky top-0 z-10 flex items-center gap-2 border-b border-line bg-card px-3">
        <Search size={16} aria-hidden className="shrink-0 text-quiet" />
        <input
          role="combobox"
          aria-label={searchLabel}
          aria-expanded
          aria-autocomplete="list"
          aria-controls={listboxId}
          aria-activedescendant={options.length > 0 ? optionId(listboxId, active) : undefined}
          placeholder={searchLabel}
          value={text}
          onChange={(event) => {
            onText(event.target.value);
            setActive(0);
          }}
          onKeyDown={handleKey}
          className="h-10 w-full min-w-0 bg-transparent text-sm outline-none placeholder:text-quiet"
        />
      </div>
      <Listbox
        id={listboxId}
        label={label}
        options={options}
        active={active}
        isBusy={isBusy}
        selected={selected}
        onActivate={setActive}
        onSelect={select}
      />
      <p role="status" className="px-4 pb-3 text-caption text-quiet empty:hidden">
        {message}
      </p>
    </>
  );
}
