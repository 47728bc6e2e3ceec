import { type QueryClient, useQuery } from '@tanstack/react-query';

const queryKeyOf = (programId: number) => ['new-api-key', programId];

/** Keeps the API key of a new program in memory, so that the next page can show it once. It is not stored anywhere. */
export function rememberNewApiKey(queryClient: QueryClient, programId: number, apiKey: string): void {
  queryClient.setQueryData(queryKeyOf(programId), apiKey);
}

/** The API key of a program that was just created in this tab, or null. */
export function useNewApiKey(programId: number): string | null {
  const { data = null } = useQuery<string | null>({
    queryKey: queryKeyOf(programId),
    queryFn: () => null,
    enabled: false,
  });
  return data;
}
