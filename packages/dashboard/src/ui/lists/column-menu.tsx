import { Check, Columns3 } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { useState } from 'react';
import { Button } from '../forms/button.tsx';
import { Menu } from '../forms/menu.tsx';
import { type Column, type ColumnChoice, isOptional } from './column.ts';

/** What viewers chose to see in a list, remembered in this browser. */
export function useColumnChoice(list: string): [ColumnChoice, (choice: ColumnChoice) => void] {
  const key = `svc-columns:${list}`;
  const [choice, setChoice] = useState(() => storedChoice(key));
  const change = (changed: ColumnChoice) => {
    setChoice(changed);
    try {
      localStorage.setItem(key, JSON.stringify(changed));
    } catch {
      // Without storage the choice lasts until the page is left.
    }
  };
  return [choice, change];
}

function storedChoice(key: string): ColumnChoice {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof stored === 'object' && stored !== null ? (stored as ColumnChoice) : {};
  } catch {
    return {};
  }
}

type ColumnMenuProps<Row> = {
  columns: readonly Column<Row>[];
  /** The titles of the columns that are in the table now. */
  shown: ReadonlySet<string>;
  choice: ColumnChoice;
  onChange: (choice: ColumnChoice) => void;
};

/** Chooses the columns of a list. */
export function ColumnMenu<Row>({ columns, shown, choice, onChange }: ColumnMenuProps<Row>) {
  const trigger = (
    <Button size="small" variant="ghost" aria-label="Choose columns" title="Choose columns" className="px-2!">
      <Columns3 size={16} aria-hidden />
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      {columns.filter(isOptional).map(({ title }) => (
        <Radix.CheckboxItem
          key={title}
          checked={shown.has(title)}
          onCheckedChange={(checked) => onChange({ ...choice, [title]: checked })}
          // Stays open, so that several can be chosen.
          onSelect={(event) => event.preventDefault()}
          className="flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm outline-none data-highlighted:bg-sunken"
        >
          <span className="grid size-4 place-items-center rounded border border-edge text-accent">
            <Radix.ItemIndicator>
              <Check size={13} strokeWidth={3} aria-hidden />
            </Radix.ItemIndicator>
          </span>
          {title}
        </Radix.CheckboxItem>
      ))}
    </Menu>
  );
}
