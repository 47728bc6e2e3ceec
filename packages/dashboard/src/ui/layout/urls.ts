import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { changeSearch, type Search } from '../../rules/search.ts';

/** The program that the address is about. */
export function useProgramId(): number {
  return Number((useParams({ strict: false }) as { programId?: string }).programId);
}

/** The address of a page of a program, for its brand. */
export const brandPath = (programId: number, page = 'overview') => `/app/programs/${programId}/${page}`;
/** The address of a page of a program, for its partners. */
export const portalPath = (programId: number, page = 'overview') => `/app/portal/${programId}/${page}`;

/** What the address says behind its `?`, and how to change it; earlier states stay behind the back button. */
export function useFilters(): [Search, (changes: Search, options?: { replace?: boolean }) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = (changes: Search, { replace = false } = {}) =>
    void navigate({ to: '.', search: changeSearch(search, changes) as never, replace });
  return [search, change];
}

/** What the address says about the rows of a list: the filters of these names, and where its page begins. */
export function useListFilters<Name extends string>(...names: Name[]) {
  const [search] = useFilters();
  const filters = Object.fromEntries(names.map((name) => [name, search[name] || undefined]));
  return {
    filters: filters as Partial<Record<Name, string>>,
    cursor: search.cursor,
    isFiltered: Object.values(filters).some(Boolean),
  };
}
