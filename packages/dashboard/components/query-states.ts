import { type UseQueryResult, useQuery } from '@tanstack/react-query';

const never = () => new Promise<never>(() => undefined);

/** A query that has been answered. The key tells it apart from the others on the page. */
export function useLoadedQuery<Value>(key: string, value: Value): UseQueryResult<Value, Error> {
  return useQuery<Value, Error>({ queryKey: ['loaded', key], queryFn: async () => value, initialData: () => value });
}

/** A query that is never answered. */
export function useLoadingQuery<Value>(): UseQueryResult<Value, Error> {
  return useQuery<Value, Error>({ queryKey: ['loading'], queryFn: never });
}

/** A query that is never answered and shows an earlier answer meanwhile. */
export function useRefreshingQuery<Value>(key: string, earlier: Value): UseQueryResult<Value, Error> {
  return useQuery<Value, Error, Value>({
    queryKey: ['refreshing', key],
    queryFn: never,
    placeholderData: () => earlier as never,
  });
}

/** A query that fails with this error. */
export function useFailedQuery<Value>(key: string, error: Error): UseQueryResult<Value, Error> {
  return useQuery<Value, Error>({ queryKey: ['failed', key], queryFn: () => Promise.reject(error) });
}
