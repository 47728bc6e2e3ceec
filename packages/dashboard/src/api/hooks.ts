import {
  keepPreviousData,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { change } from './change.ts';
import { type ApiError, type Call, call, type Data, type Reply, type RouteName } from './client.ts';

/** How often pages that show live data fetch it again. */
export const POLL_MS = 5_000;

type QueryOptions<Name extends RouteName> = {
  /** Fetch again at this interval while the page is visible. What was fetched last may decide it. */
  refetchMs?: number | false | ((reply: Reply<Name> | undefined) => number | false);
  enabled?: boolean;
  /** Keep showing the previous rows while a new page or filter loads. */
  keepPrevious?: boolean;
};

/** Fetches a route, and again after every mutation. */
export function useApiQuery<Name extends RouteName>(
  name: Name,
  request: Call<Name> = {} as Call<Name>,
  { refetchMs = false, enabled = true, keepPrevious = true }: QueryOptions<Name> = {},
): UseQueryResult<Reply<Name>, ApiError> {
  return useQuery<Reply<Name>, ApiError>({
    queryKey: [name, request],
    // Cancels requests whose results are no longer needed, such as those for a search text that has changed.
    queryFn: ({ signal }) => call(name, request, {}, signal),
    refetchInterval: typeof refetchMs === 'function' ? ({ state }) => refetchMs(state.data) : refetchMs,
    enabled,
    placeholderData: keepPrevious ? keepPreviousData : undefined,
  });
}

/** Fetches a route for a part of the page that comes later, which then has it at once. It finds out itself if that fails. */
export function fetchAhead<Name extends RouteName>(
  queryClient: QueryClient,
  name: Name,
  request: Call<Name> = {} as Call<Name>,
): Promise<void> {
  return queryClient.prefetchQuery({
    queryKey: [name, request],
    queryFn: ({ signal }) => call(name, request, {}, signal),
  });
}

/** Fetches a route for several requests, as `useApiQuery` does for one. */
export function useApiQueries<Name extends RouteName>(
  name: Name,
  requests: Call<Name>[],
  { enabled = true }: Pick<QueryOptions<Name>, 'enabled'> = {},
): UseQueryResult<Reply<Name>, ApiError>[] {
  return useQueries({
    queries: requests.map((request) => ({
      queryKey: [name, request],
      queryFn: (): Promise<Reply<Name>> => call(name, request),
      enabled,
    })),
  }) as UseQueryResult<Reply<Name>, ApiError>[];
}

/**
 * Calls a route that changes something, then refreshes everything on the screen. If `onDone` leaves a page, that comes first: what
 * is gone is not asked for again. Nothing is done twice: while a request is under way, the same one is ignored, and after a lost
 * answer, repeating it gets the answer to the first one.
 */
export function useApiMutation<Name extends RouteName>(
  name: Name,
  onDone?: (data: Data<Name>, request: Call<Name>) => unknown,
  onFailed?: (error: ApiError) => void,
): UseMutationResult<Reply<Name>, ApiError, Call<Name>> {
  const queryClient = useQueryClient();
  const underWay = useRef(new Set<string>());
  const mutation = useMutation<Reply<Name>, ApiError, Call<Name>>({
    mutationFn: (request) => change(name, request),
    onSuccess: async (reply, request) => {
      await onDone?.((reply as { data: Data<Name> }).data, request);
      await queryClient.invalidateQueries();
    },
    onError: (error) => {
      onFailed?.(error);
      if (isOutOfDate(error)) void queryClient.invalidateQueries();
    },
    onSettled: (_reply, _error, request) => void underWay.current.delete(JSON.stringify(request)),
  });
  // A mutation says that it is pending only after the event, so a double click would send it twice.
  const mutate: typeof mutation.mutate = (...args) => {
    const text = JSON.stringify(args[0]);
    if (underWay.current.has(text)) return;
    underWay.current.add(text);
    mutation.mutate(...args);
  };
  return { ...mutation, mutate };
}

/** Whether what is on the screen may not be how things are. */
const isOutOfDate = ({ field, isNotSent }: ApiError) => field === null && !isNotSent;

/** Ignores what is asked for while the same is under way, such as by the second click of a double click. */
export function useSingleFlight() {
  const isUnderWay = useRef(false);
  return {
    guard:
      <Args extends unknown[]>(start: (...args: Args) => void) =>
      (...args: Args) => {
        if (isUnderWay.current) return;
        isUnderWay.current = true;
        start(...args);
      },
    end: () => {
      isUnderWay.current = false;
    },
  };
}
