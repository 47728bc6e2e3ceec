import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ApiError, Call, Data, Reply, RouteName } from './client.ts';
import { call } from './client.ts';

type ReadOptions = {
  /** Ask again this often while the page is visible. */
  everyMs?: number | false;
  enabled?: boolean;
  /** Show what was there while something else of the same kind loads. */
  keep?: boolean;
};

/** Reads a route, and again whenever an action has changed something. */
export function useRead<Name extends RouteName>(
  name: Name,
  sent: Call<Name> = {} as Call<Name>,
  { everyMs = false, enabled = true, keep = true }: ReadOptions = {},
): UseQueryResult<Reply<Name>, ApiError> {
  return useQuery<Reply<Name>, ApiError>({
    queryKey: [name, sent],
    queryFn: () => call(name, sent),
    refetchInterval: everyMs,
    enabled,
    ...(keep && { placeholderData: keepPreviousData as never }),
  });
}

/** A route that changes something. Everything that is on the screen is read anew after it. */
export function useAction<Name extends RouteName>(
  name: Name,
  onDone?: (data: Data<Name>) => void,
): UseMutationResult<Reply<Name>, ApiError, Call<Name>> {
  const queries = useQueryClient();
  return useMutation<Reply<Name>, ApiError, Call<Name>>({
    mutationFn: (sent) => call(name, sent),
    onSuccess: async (reply) => {
      onDone?.((reply as { data: Data<Name> }).data);
      await queries.invalidateQueries();
    },
  });
}
