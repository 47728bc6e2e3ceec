import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { portalOf, stopViewing, viewing } from '../api/viewing.ts';
import { ToastProvider } from '../ui/feedback/toast.tsx';
import { Confirmation } from './confirmation.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { createAppRouter } from './routes/router.ts';
import { SessionRenewal } from './session-renewal.tsx';
import { SlowChangeNotice } from './slow-change-notice.tsx';

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
      // Without a connection, what was asked for fails. It must not wait for one without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
      // Only server and network failures are worth a retry; other errors stay the same.
      retry: (failures, error) => failures < MAX_RETRIES && error instanceof ApiError && error.isUncertain,
    },
    // Without a connection, what was pressed fails. It must not happen later, when nobody expects it.
    mutations: { networkMode: 'always' },
  },
});

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <RouterProvider router={router} />
        <Confirmation />
        <SessionRenewal />
        <OfflineNotice />
        <SlowChangeNotice />
      </ToastProvider>
    </QueryClientProvider>
  );
}

/**
 * People without a session who did not want to sign in over the page sign in and then return to it. A workspace can also start to
 * require a second factor, which is set up on the account's page.
 */
function redirect(error: Error): void {
  const { pathname, href } = router.state.location;
  if (!(error instanceof ApiError) || !pathname.startsWith('/app/')) return;
  if (error.code === 'second_factor_required') return void router.navigate({ to: '/app/account', replace: true });
  if (!error.isSignedOut || /^\/app\/sign-(in|up)$/.test(pathname)) return;
  // Nothing is forgotten while a person stays for what they have not saved.
  void router.navigate({ to: '/app/sign-in', search: { next: href }, replace: true }).then(() => queryClient.clear());
}
