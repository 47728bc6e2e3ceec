import type { UseMutationResult } from '@tanstack/react-query';
import type { ApiError, Call, Data, Reply, RouteName } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from './toast.tsx';

/** Calls a route as `useApiMutation` does, and says in a toast what went wrong: for what is done without a form or a dialog. */
export function useAction<Name extends RouteName>(
  name: Name,
  onDone?: (data: Data<Name>) => unknown,
): UseMutationResult<Reply<Name>, ApiError, Call<Name>> {
  const toast = useToast();
  return useApiMutation(name, onDone, ({ message }) => toast(message, 'bad'));
}
