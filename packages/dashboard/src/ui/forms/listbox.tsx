import { Check } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';

/** How many options Page Up and Page Down move. */
const PAGE = 10;

/** The option that the arrow keys are on, and a handler for them that says whether it took the key. */
export function useActiveOption(count: number) {
  const [index, setIndex] = useState(0);
  const active = Math.min(index, count - 1);
  const moves: Record<string, number> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + PAGE,
    PageUp: active - PAGE,
    Home: 0,
    End: count - 1,
  };
  const moveByKey = (event: KeyboardEvent): boolean => {
    const target = moves[event.key];
    if (target === undefined || count === 0) return false;
    event.preventDefault();
    setIndex(Math.min(Math.max(target, 0), count - 1));
    return true;
  };
  return { active, setActive: setIndex, moveByKey };
}

type ListboxProps = {
  id: string;
  label: string;
  options: readonly { value: string; content: ReactNode }[];
  active: number;
  /** Whether the options are about to change. */
  isBusy?: boolean;
  selected: string | undefined;
  onActivate: (index: number) => void;
  onSelect: (index: number) => void;
};

/** The options of a select or a combobox. The focus stays on its control, which points to the active option. */
export function Listbox({ id, label, options, active, isBusy, selected, onActivate, onSelect }: ListboxProps) {
  useEffect(() => {
    document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    <div role="listbox" id={id} aria-label={label} aria-busy={isBusy || undefined} className="p-1.5">
      {options.map(({ value, content }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the control that has the focus handles the keys
        <div
          key={value}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={value === selected}
          data-active={index === active}
          onPointerMove={() => index !== active && onActivate(index)}
          // Pressing the mouse would take the focus from the control.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onSelect(index)}
          className="flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm data-[active=true]:bg-sunken"
        >
          <span className="min-w-0 flex-1 truncate">{content}</span>
          {value === selected && <Check size={15} aria-hidden className="shrink-0 text-accent" />}
        </div>
      ))}
    </div>
  );
}

/** The id that `aria-activedescendant` of the control points to. */
export function optionId(listboxId: string, index: number): string {
  return `${listboxId}-${index}`;
}
