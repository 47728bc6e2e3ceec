import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { ToastProvider } from '../ui/feedback/toast.tsx';
import { createAppRouter } from './router.tsx';

const FRESH_MS = 5_000;
const MAX_RETRIES = 2;

const router = createAppRouter();

const queries = new QueryClient({
  queryCache: new QueryCache({ onError: askToSignIn }),
  mutationCache: new MutationCache({ onError: askToSignIn }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // What was refused stays refused; only a service that failed or was out of reach is asked again.
      retry: (tries, error) =>
        tries < MAX_RETRIES && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
});

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
    </QueryClientProvider>
  );
}

/** A session can end while a page is open: the person signs in and comes back to where they were. */
function askToSignIn(error: Error): void {
  const { pathname, href } = router.state.location;
  if (!(error instanceof ApiError) || error.status !== 401 || !pathname.startsWith('/app/')) return;
  if (/^\/app\/sign-(in|up)$/.test(pathname)) return;
  queries.clear();
  void router.navigate({ to: '/app/sign-in', search: { next: href } as never, replace: true });
}
