import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../../rules/money.ts';
import { Button } from '../forms/button.tsx';
import { NOTHING, type Selection } from './selection.ts';

type SelectionBarProps = {
  /** What is selected, in the plural and in lower case. */
  noun: string;
  selection: Selection;
  /** How many rows match the filters, if all of them can be selected. */
  matching?: number;
  /** Whether every row of the page that can be selected is. */
  isPageSelected: boolean;
  onChange: (selection: Selection) => void;
  /** What can be done with them. */
  actions?: ReactNode;
};

/** What is selected and what can be done with it. It floats above the end of the list, so that no row moves when it appears. */
export function SelectionBar({ noun, selection, matching, isPageSelected, onChange, actions }: SelectionBarProps) {
  const count = selection.isAll ? (matching ?? selection.keys.size) : selection.keys.size;
  const hasMore = matching !== undefined && matching > selection.keys.size;
  return (
    <div className="pointer-events-none sticky bottom-4 z-20 flex justify-center px-3">
      <span role="status" className="sr-only">
        {count > 0 ? `${formatCount(count)} selected` : ''}
      </span>
      {count > 0 && (
        <section
          aria-label={`Selected ${noun}`}
          data-selection-bar
          className="pointer-events-auto mt-3 mb-1 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-accent/40 bg-card px-4 py-2.5 text-sm shadow-float"
        >
          <span className="font-medium tabular-nums">
            {selection.isAll ? `All ${formatCount(count)} ${noun} selected` : `${formatCount(count)} selected`}
          </span>
          {!selection.isAll && hasMore && isPageSelected && (
            <button
              type="button"
              onClick={() => onChange({ ...selection, isAll: true })}
              className="font-medium text-accent hover:underline"
            >
              Select all {formatCount(matching)} {noun}
            </button>
          )}
          <span className="flex flex-wrap items-center gap-2">
            {actions}
            <Button size="small" variant="ghost" onClick={() => onChange(NOTHING)} aria-label="Clear selection">
              <X size={16} aria-hidden />
            </Button>
          </span>
        </section>
      )}
    </div>
  );
}
