import { useState } from 'react';

/** The rows that are selected: some, by their keys, or all that match the filters, including those on other pages. */
export type Selection = { keys: ReadonlySet<string>; isAll: boolean };

export const NOTHING: Selection = { keys: new Set(), isAll: false };

/** A selection that is lost when `scope` changes, such as the filters of a list. */
export function useSelection(scope: unknown): [Selection, (selection: Selection) => void] {
  const [held, setHeld] = useState({ scope: '', selection: NOTHING });
  const current = JSON.stringify(scope);
  const selection = held.scope === current ? held.selection : NOTHING;
  return [selection, (changed) => setHeld({ scope: current, selection: changed })];
}
