import { useNavigate, useSearch } from '@tanstack/react-router';
import { changeSearch } from '../../rules/search.ts';

/** The search parameters of all pages together, for controls that appear on several of them. */
export type SearchParams = ReturnType<typeof useAnySearch>;
export type SearchParamName = keyof SearchParams;

/** The search parameters of the current URL and a setter. Earlier values stay reachable with the back button. */
export function useSearchParams() {
  const search = useAnySearch();
  const navigate = useNavigate();
  const setSearch = (changes: SearchParams, { replace = false } = {}) =>
    void navigate({ to: '.', search: (previous) => changeSearch(previous, changes), replace });
  return [search, setSearch] as const;
}

function useAnySearch() {
  return useSearch({ strict: false });
}
