import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import type { Call, Data, Reply, RouteName } from './client.ts';
import { ApiError, call } from './client.ts';

/** How often pages that show live data fetch it again. */
export const POLL_MS = 5_000;

type QueryOptions = {
  /** Fetch again at this interval while the page is visible. */
  refetchMs?: number | false;
  enabled?: boolean;
  /** Keep showing the previous rows while a new page or filter loads. */
  keepPrevious?: boolean;
};

/** Fetches a route, and again after every mutation. */
export function useApiQuery<Name extends RouteName>(
  name: Name,
  request: Call<Name> = {} as Call<Name>,
  { refetchMs = false, enabled = true, keepPrevious = true }: QueryOptions = {},
): UseQueryResult<Reply<Name>, ApiError> {
  return useQuery<Reply<Name>, ApiError>({
    queryKey: [name, request],
    // What nobody waits for anymore is not loaded to the end, such as the results for a text that was changed.
    queryFn: ({ signal }) => call(name, request, {}, signal),
    refetchInterval: refetchMs,
    enabled,
    placeholderData: keepPrevious ? keepPreviousData : undefined,
  });
}

/** Fetches a route for several requests, as `useApiQuery` does for one. */
export function useApiQueries<Name extends RouteName>(
  name: Name,
  requests: Call<Name>[],
  { enabled = true }: Pick<QueryOptions, 'enabled'> = {},
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
 * is gone is not asked for again.
 */
export function useApiMutation<Name extends RouteName>(
  name: Name,
  onDone?: (data: Data<Name>) => unknown,
): UseMutationResult<Reply<Name>, ApiError, Call<Name>> {
  const queryClient = useQueryClient();
  return useMutation<Reply<Name>, ApiError, Call<Name>>({
    mutationFn: (request) => call(name, request),
    onSuccess: async (reply) => {
      await onDone?.((reply as { data: Data<Name> }).data);
      await queryClient.invalidateQueries();
    },
  });
}

/**
 * As `useApiMutation`, for requests that must not be carried out twice. After a lost answer, repeating the same request gets the
 * answer to the first one; after any other failure, the screen shows how things are now.
 */
export function useOnceMutation<Name extends RouteName>(
  name: Name,
  onDone?: (data: Data<Name>) => unknown,
): UseMutationResult<Reply<Name>, ApiError, Call<Name>> {
  const queryClient = useQueryClient();
  const unanswered = useRef<{ key: string; request: string } | null>(null);
  const flight = useSingleFlight();
  const mutation = useMutation<Reply<Name>, ApiError, Call<Name>>({
    mutationFn: async (request) => {
      const text = JSON.stringify(request);
      if (unanswered.current?.request !== text) unanswered.current = { key: newKey(), request: text };
      try {
        const reply = await call(name, request, { 'Idempotency-Key': unanswered.current.key });
        unanswered.current = null;
        return reply;
      } catch (error) {
        if (!(error instanceof ApiError && error.isUncertain)) unanswered.current = null;
        throw error;
      }
    },
    onSuccess: async (reply) => {
      await onDone?.((reply as { data: Data<Name> }).data);
      await queryClient.invalidateQueries();
    },
    onError: () => void queryClient.invalidateQueries(),
    onSettled: flight.end,
  });
  return { ...mutation, mutate: flight.guard(mutation.mutate) };
}

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

/** Browsers have `randomUUID` only on secure origins, and not every installation is on one. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
