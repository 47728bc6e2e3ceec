import { ChevronRight, ChevronsLeft } from 'lucide-react';
import { Button } from '../forms/button.tsx';
import { useFilters } from '../layout/urls.ts';

/** The way through a long list, newest first. The address holds the place, so the back button goes back a page. */
export function Pager({ nextCursor }: { nextCursor: string | null }) {
  const [search, change] = useFilters();
  if (!nextCursor && !search.cursor) return null;
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-2 border-t border-line px-5 py-3">
      <Button size="small" look="quiet" disabled={!search.cursor} onClick={() => change({ cursor: undefined })}>
        <ChevronsLeft size={16} aria-hidden /> Newest
      </Button>
      <Button size="small" disabled={!nextCursor} onClick={() => change({ cursor: nextCursor ?? undefined })}>
        Older <ChevronRight size={16} aria-hidden />
      </Button>
    </nav>
  );
}
