export type ChangedFields = { before: Record<string, unknown>; after: Record<string, unknown> };

/** What differs between two states, under the names of the wire; null when nothing does. */
export function changedFields<State extends object>(before: State, after: State): ChangedFields | null {
  const changed: ChangedFields = { before: {}, after: {} };
  for (const name of Object.keys(after) as (keyof State & string)[]) {
    const [was, is] = [before[name] ?? null, after[name] ?? null];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    const wireName = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    changed.before[wireName] = was;
    changed.after[wireName] = is;
  }
  return Object.keys(changed.after).length > 0 ? changed : null;
}
