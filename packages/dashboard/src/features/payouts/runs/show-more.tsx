import { useState } from 'react';
import { formatCount } from '../../../rules/money.ts';
import { Button } from '../../../ui/forms/button.tsx';

const STEP = 25;

/** The first rows of a table that is not paged, and more on request. */
export function useShownRows<Row>(rows: readonly Row[]): { shown: Row[]; more: number; onMore: () => void } {
  const [count, setCount] = useState(STEP);
  return { shown: rows.slice(0, count), more: Math.max(0, rows.length - count), onMore: () => setCount(count + STEP) };
}

/** Adds rows to a table that has more of them. */
export function ShowMore({ more, onMore }: { more: number; onMore: () => void }) {
  if (more === 0) return null;
  return (
    <div className="flex items-center justify-between gap-3 border-t border-line px-4 py-2.5">
      <p className="text-caption text-quiet">and {formatCount(more)} more</p>
      <Button size="small" onClick={onMore}>
        Show more
      </Button>
    </div>
  );
}
