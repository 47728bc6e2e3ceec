import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { portalOf, stopViewing, viewing } from '../api/viewing.ts';
import { ToastProvider } from '../ui/feedback/toast.tsx';
import { Confirmation } from './confirmation.tsx';
import { createAppRouter } from './routes/router.ts';

const STALE_MS = 5_000;
const MAX_RETRIES = 2;

const router = createAppRouter();

// A link out of the portal ends the view as a partner: elsewhere the user is who they are.
router.subscribe('onBeforeNavigate', ({ toLocation: { pathname, href } }) => {
  const view = viewing();
  if (view && !pathname.startsWith(`${portalOf(view)}/`)) stopViewing(view, href);
});

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: redirect }),
  mutationCache: new MutationCache({ onError: redirect }),
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      // Only server and network failures are worth a retry; other errors stay the same.
      retry: (failures, error) =>
        failures < MAX_RETRIES && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
    // Without a connection, what was pressed fails. It must not happen later, when nobody expects it anymore.
    mutations: { networkMode: 'always' },
  },
});

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <RouterProvider router={router} />
        <Confirmation />
      </ToastProvider>
    </QueryClientProvider>
  );
}

/**
 * A session can end while a page is open. After signing in again the user returns to that page. A workspace can also start to
 * require a second factor, which is set up on the account's page.
 */
function redirect(error: Error): void {
  const { pathname, href } = router.state.location;
  if (!(error instanceof ApiError) || !pathname.startsWith('/app/')) return;
  if (error.code === 'second_factor_required') return void router.navigate({ to: '/app/account', replace: true });
  if (error.status !== 401 || /^\/app\/sign-(in|up)$/.test(pathname)) return;
  queryClient.clear();
  void router.navigate({ to: '/app/sign-in', search: { next: href }, replace: true });
}
