import { type QueryClient, useQuery } from '@tanstack/react-query';

const keyOf = (programId: number) => ['new-key', programId];

/** Keeps the key of a new program in the memory of this page: it is shown once and stored nowhere. */
export function rememberNewKey(queries: QueryClient, programId: number, apiKey: string): void {
  queries.setQueryData(keyOf(programId), apiKey);
}

/** The key of a program that was made on this page just now, or null. */
export function useNewKey(programId: number): string | null {
  const { data = null } = useQuery<string | null>({ queryKey: keyOf(programId), queryFn: () => null, enabled: false });
  return data;
}
