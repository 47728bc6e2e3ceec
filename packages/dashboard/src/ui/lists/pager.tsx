import { ChevronRight, ChevronsLeft } from 'lucide-react';
import { Button } from '../forms/button.tsx';
import { useSearchParams } from '../layout/search-params.ts';

/** Pages through a list, newest first. The cursor is in the URL, so the back button returns to the previous page. */
export function Pager({ nextCursor }: { nextCursor: string | null }) {
  const [{ cursor }, setSearch] = useSearchParams();
  if (!nextCursor && !cursor) return null;
  return (
    <nav aria-label="Pagination" className="flex items-center justify-between gap-2 border-t border-line px-5 py-3">
      <Button size="small" variant="ghost" disabled={!cursor} onClick={() => setSearch({ cursor: undefined })}>
        <ChevronsLeft size={16} aria-hidden /> Newest
      </Button>
      <Button size="small" disabled={!nextCursor} onClick={() => setSearch({ cursor: nextCursor ?? undefined })}>
        Older <ChevronRight size={16} aria-hidden />
      </Button>
    </nav>
  );
}
