import { Eye } from 'lucide-react';
import { stopViewing, viewing } from '../../api/viewing.ts';
import { Button } from '../../ui/forms/button.tsx';

/** Says which partner’s portal a brand member is viewing, on every page of it. */
export function ViewingBar() {
  const view = viewing();
  if (!view) return null;
  return (
    <section
      aria-label="View as partner"
      className="sticky top-0 z-30 -mx-4 -mt-6 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-warn-soft px-4 py-2.5 text-sm text-warn sm:-mx-8 sm:-mt-9 sm:px-8"
    >
      <Eye size={16} aria-hidden className="shrink-0" />
      <p className="min-w-0 flex-1">
        You’re viewing the portal as <strong>{view.name}</strong>. You see what they see, and nothing can be changed.
      </p>
      <Button size="small" onClick={() => stopViewing(view)}>
        Stop viewing
      </Button>
    </section>
  );
}
