import { LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useOldestChange } from '../api/under-way.ts';

/** From when on people wonder whether anything happens. */
const SLOW_MS = 3_000;

/** Says that a change takes long and is still under way. It floats above pages and dialogs, so that nothing moves. */
export function SlowChangeNotice() {
  const change = useOldestChange();
  const [slow, setSlow] = useState<typeof change>();
  useEffect(() => {
    if (!change) return;
    const timer = setTimeout(() => setSlow(change), SLOW_MS);
    return () => clearTimeout(timer);
  }, [change]);
  return (
    // An open dialog hides what is beside it from screen readers, except live regions that say so.
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 top-4 z-50 flex justify-center"
    >
      {change && change === slow && (
        <p className="flex items-center gap-2.5 rounded-xl border border-line bg-card px-4 py-2.5 text-sm shadow-float">
          <LoaderCircle size={17} aria-hidden className="shrink-0 text-accent motion-safe:animate-spin" />
          {sentenceFor(change.path)}
        </p>
      )}
    </div>
  );
}

function sentenceFor(path: string): string {
  const isRun = /\/payout-runs\b/.test(path);
  return isRun ? 'Still working. Large payout runs can take up to a minute.' : 'Still working. This takes a moment.';
}
