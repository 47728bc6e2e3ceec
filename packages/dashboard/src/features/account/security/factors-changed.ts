import { useQueryClient } from '@tanstack/react-query';

/** Fetches everything again after a change of the second factors, on which what the account may see can depend. */
export function useFactorsChanged(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => {
    // Not on this page, and empty while the workspace required a factor that was missing.
    queryClient.removeQueries({ queryKey: ['managePrograms'] });
    return queryClient.invalidateQueries();
  };
}
