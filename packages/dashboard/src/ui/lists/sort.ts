import { type SearchParams, useSearchParams } from '../layout/search-params.ts';

/** The order of the list in the URL, and a setter for the titles of its columns. The route says which orders there are. */
export function useSort() {
  const [{ sort }, setSearch] = useSearchParams();
  return { sort, onSort: (chosen: string | undefined) => setSearch({ sort: chosen as SearchParams['sort'] }) };
}
