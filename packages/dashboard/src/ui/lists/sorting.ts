import { type SearchParams, useSearchParams } from '../layout/search-params.ts';

/** Puts the order of a list into the URL. */
export function useSetSort(): (sort: string | undefined) => void {
  const [, setSearch] = useSearchParams();
  // The route of the page ignores an order that its list does not have.
  return (sort) => setSearch({ sort: sort as SearchParams['sort'] });
}
