import { useLocation, useNavigate } from '@tanstack/react-router';
import { Check, ChevronDown, ChevronLeft, ChevronRight, ChevronsLeft } from 'lucide-react';
import { describePage } from '../../rules/page-position.ts';
import { Button } from '../forms/button.tsx';
import { Menu, MenuItem } from '../forms/menu.tsx';
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
};

/** Pages through a list. The cursor is in the URL, so the back button returns to the page that was seen before. */
export function Pager({ nextCursor, count, noun = 'rows', shown }: PagerProps) {
  const [{ cursor }, setSearch] = useSearchParams();
  const trail = usePageTrail(cursor);
  const hasPages = Boolean(nextCursor || cursor);
  const canResize = shown !== undefined && (hasPages || shown > PAGE_SIZES[0]);
  if (!hasPages && !canResize && count === undefined) return null;
  const position = hasPages ? trail.pages?.length : undefined;
  return (
    <div className="flex min-h-13 flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-2.5 md:px-5">
      <p className="text-caption text-quiet tabular-nums">
        {count !== undefined && <PagePosition {...{ count, noun, shown, position }} />}
      </p>
      {(hasPages || canResize) && (
        <nav aria-label="Pagination" className="flex flex-wrap items-center gap-2">
          {canResize && <PageSizeMenu />}
          {hasPages && (
            <>
              <Button size="small" variant="ghost" disabled={!cursor} onClick={() => setSearch({ cursor: undefined })}>
                <ChevronsLeft size={16} aria-hidden /> First page
              </Button>
              <Button size="small" disabled={!trail.pages?.length} onClick={trail.goBack}>
                <ChevronLeft size={16} aria-hidden /> Previous page
              </Button>
              <Button size="small" disabled={!nextCursor} onClick={() => nextCursor && trail.goTo(nextCursor)}>
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

/** Chooses how many rows a page has. The list starts again at its first page. */
function PageSizeMenu() {
  const [, setSearch] = useSearchParams();
  const [size, setSize] = usePageSize();
  const trigger = (
    <Button size="small" variant="ghost">
      {size} per page <ChevronDown size={15} aria-hidden />
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      {PAGE_SIZES.map((choice) => (
        <MenuItem
          key={choice}
          onSelect={() => {
            setSize(choice);
            setSearch({ cursor: undefined });
          }}
        >
          <span className="flex-1">{choice} per page</span>
          {choice === size && <Check size={15} aria-label="Selected" className="text-accent" />}
        </MenuItem>
      ))}
    </Menu>
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
