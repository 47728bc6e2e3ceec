import { useState } from 'react';

/** The rows that are selected: some, by their keys, or all that match the filters, including those on other pages. */
export type Selection = { keys: ReadonlySet<string>; isAll: boolean };

export const NOTHING: Selection = { keys: new Set(), isAll: false };

/**
 * A selection that is lost when `scope` changes, such as the filters of a list. Rows that are no longer among `rows`, those on the
 * page that can be selected, leave it for good: nobody acts on what they do not see. Until the rows are known, it stays.
 */
export function useSelection(
  scope: unknown,
  rows: readonly { id: number }[] | undefined,
): [Selection, (selection: Selection) => void] {
  const [held, setHeld] = useState({ scope: '', selection: NOTHING });
  const current = JSON.stringify(scope);
  const selection = held.scope === current ? amongThose(held.selection, rows) : NOTHING;
  // A row that comes back is not selected again.
  if (held.scope === current && selection !== held.selection) setHeld({ scope: current, selection });
  return [selection, (changed) => setHeld({ scope: current, selection: changed })];
}

function amongThose(selection: Selection, rows: readonly { id: number }[] | undefined): Selection {
  if (!rows) return selection;
  const ids = new Set(rows.map(({ id }) => String(id)));
  const keys = [...selection.keys].filter((key) => ids.has(key));
  return keys.length === selection.keys.size ? selection : { ...selection, keys: new Set(keys) };
}

/** How many rows match the filters, and whether that is known for these filters or still for earlier ones. */
type Counted = { data: { meta: { count?: number | undefined } } | undefined; isPlaceholderData: boolean };

/**
 * What is selected of a list, and the same as bulk actions want it: the ids of rows, or the filter with the number of rows that were
 * seen. While the number of other filters is still shown, it must not be acted on.
 */
export function useListSelection<Filters>(
  scope: unknown[],
  filters: Filters,
  { data, isPlaceholderData }: Counted,
  rows: readonly { id: number }[] | undefined,
) {
  const [selection, onChange] = useSelection([filters, ...scope], rows);
  const matching = isPlaceholderData ? undefined : data?.meta.count;
  const selected: { ids: number[] } | { filter: Filters; count: number } =
    selection.isAll && matching !== undefined
      ? { filter: filters, count: matching }
      : { ids: [...selection.keys].map(Number) };
  const count = 'ids' in selected ? selected.ids.length : selected.count;
  return { selection, onChange, matching, selected, count, clear: () => onChange(NOTHING) };
}
