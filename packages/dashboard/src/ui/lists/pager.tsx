import { useLocation, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, ChevronsLeft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { describePage } from '../../rules/page-position.ts';
import { Button } from '../forms/button.tsx';
import { useSearchParams } from '../layout/search-params.ts';
import { PAGE_SIZES, usePageSize } from './page-size.ts';

type PagerProps = {
  nextCursor: string | null;
  /** How many rows all pages have together. */
  count?: number;
  /** What the list holds, in the plural and in lower case. */
  noun?: string;
  /** How many rows this page has, where viewers choose how many a page can have. */
  shown?: number;
  /** Whether another page was asked for, and the rows of the last one are still shown. */
  isLoading?: boolean;
};

/** Pages through a list. The cursor is in the URL, so the back button returns to the page that was seen before. */
export function Pager({ nextCursor, count, noun = 'rows', shown, isLoading = false }: PagerProps) {
  const [{ cursor }, setSearch] = useSearchParams();
  const trail = usePageTrail(cursor);
  const position = useSettled(trail.pages?.length, isLoading);
  const hasPages = Boolean(nextCursor || cursor);
  const canResize = shown !== undefined && (hasPages || shown > PAGE_SIZES[0]);
  if (!hasPages && !canResize && count === undefined) return null;
  return (
    <div className="flex min-h-13 flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-2.5 md:px-5">
      <p className="text-caption text-quiet tabular-nums">
        {count !== undefined && <PagePosition {...{ count, noun, shown, position: hasPages ? position : undefined }} />}
      </p>
      {(hasPages || canResize) && (
        <nav aria-label="Pagination" className="flex flex-wrap items-center gap-2">
          {canResize && <PageSizes />}
          {hasPages && (
            <>
              <Button size="small" variant="ghost" disabled={!cursor} onClick={() => setSearch({ cursor: undefined })}>
                <ChevronsLeft size={16} aria-hidden /> First page
              </Button>
              <Button size="small" disabled={!trail.pages?.length} onClick={trail.goBack}>
                <ChevronLeft size={16} aria-hidden /> Previous page
              </Button>
              <Button
                size="small"
                disabled={!nextCursor}
                // What comes after the next page is only known once that page is there.
                isBusy={isLoading}
                onClick={() => nextCursor && trail.goTo(nextCursor)}
              >
                Next page <ChevronRight size={16} aria-hidden />
              </Button>
            </>
          )}
        </nav>
      )}
    </div>
  );
}

type PagePositionProps = { count: number; noun: string; shown?: number; position?: number };

function PagePosition({ position, shown, ...all }: PagePositionProps) {
  const [size] = usePageSize();
  return describePage({
    ...all,
    page: shown === undefined || position === undefined ? null : { shown, size, position },
  });
}

/** The value, or the one before while something else is loading. */
function useSettled<Value>(value: Value, isLoading: boolean): Value {
  const settled = useRef(value);
  useEffect(() => {
    if (!isLoading) settled.current = value;
  });
  return isLoading ? settled.current : value;
}

/** Chooses how many rows a page has. The list starts again at its first page. */
function PageSizes() {
  const [, setSearch] = useSearchParams();
  const [size, setSize] = usePageSize();
  return (
    <fieldset className="flex items-center gap-0.5 text-caption text-quiet">
      <legend className="sr-only">Rows per page</legend>
      {PAGE_SIZES.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-label={`${choice} per page`}
          aria-pressed={choice === size}
          onClick={() => {
            setSize(choice);
            setSearch({ cursor: undefined });
          }}
          className="min-w-8 rounded-md px-2 py-1.5 tabular-nums hover:text-ink aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
        >
          {choice}
        </button>
      ))}
      <span aria-hidden className="mr-2 pl-1">
        per page
      </span>
    </fieldset>
  );
}

/**
 * The cursors of the pages before this one. A cursor only leads forward, so each step keeps where it came from in the history of
 * the browser, where a reload finds it. It is null on a page that was opened by its address.
 */
function usePageTrail(cursor: string | undefined) {
  const navigate = useNavigate();
  const stored = useLocation({ select: ({ state }) => state.earlierPages });
  const pages = cursor === undefined ? [] : (stored ?? null);
  const move = (to: string | undefined, earlierPages: string[] | undefined) =>
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, cursor: to }),
      state: (previous) => ({ ...previous, earlierPages }),
    });
  return {
    pages,
    goTo: (next: string) => move(next, pages ? [...pages, cursor ?? ''] : undefined),
    goBack: () => move(pages?.at(-1) || undefined, pages?.slice(0, -1)),
  };
}

declare module '@tanstack/history' {
  interface HistoryState {
    earlierPages?: string[];
  }
}
