import { useSyncExternalStore } from 'react';

/** The paths of the changes that were sent and have no answer yet, the earliest first. */
let changes: readonly { path: string }[] = [];
const listeners = new Set<() => void>();

/** Notes that a change is under way until its answer is there. The time in which the user is asked for something does not count. */
export async function whileUnderWay<Answer>(path: string, answer: Promise<Answer>): Promise<Answer> {
  const change = { path };
  set([...changes, change]);
  try {
    return await answer;
  } finally {
    set(changes.filter((other) => other !== change));
  }
}

/** The change that has been waiting for its answer for the longest; undefined when there is none. */
export function useOldestChange(): { path: string } | undefined {
  return useSyncExternalStore(listen, () => changes[0]);
}

function set(next: typeof changes): void {
  changes = next;
  for (const listener of listeners) listener();
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
