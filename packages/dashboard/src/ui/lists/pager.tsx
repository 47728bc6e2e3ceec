import { ChevronRight, ChevronsLeft } from 'lucide-react';
import { formatCount } from '../../rules/money.ts';
import { Button } from '../forms/button.tsx';
import { useSearchParams } from '../layout/search-params.ts';

type PagerProps = {
  nextCursor: string | null;
  /** How many rows all pages have together. */
  count?: number;
  /** What the list holds, in the plural and in lower case. */
  noun?: string;
};

/** Pages through a list. The cursor is in the URL, so the back button returns to the previous page. */
export function Pager({ nextCursor, count, noun = 'rows' }: PagerProps) {
  const [{ cursor }, setSearch] = useSearchParams();
  const hasPages = Boolean(nextCursor || cursor);
  if (!hasPages && count === undefined) return null;
  return (
    <div className="flex min-h-13 flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-2.5 md:px-5">
      <p className="text-caption text-quiet tabular-nums">
        {count !== undefined && `${formatCount(count)} ${count === 1 ? noun.replace(/s$/, '') : noun}`}
      </p>
      {hasPages && (
        <nav aria-label="Pagination" className="flex items-center gap-2">
          <Button size="small" variant="ghost" disabled={!cursor} onClick={() => setSearch({ cursor: undefined })}>
            <ChevronsLeft size={16} aria-hidden /> First page
          </Button>
          <Button size="small" disabled={!nextCursor} onClick={() => setSearch({ cursor: nextCursor ?? undefined })}>
            Next page <ChevronRight size={16} aria-hidden />
          </Button>
        </nav>
      )}
    </div>
  );
}
