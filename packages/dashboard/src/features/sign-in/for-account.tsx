import type { ReactNode } from 'react';
import type { Data } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { ErrorState, Skeleton } from '../../ui/feedback/query-state.tsx';
import { AuthLayout } from '../../ui/layout/auth-layout.tsx';

type ForAccountProps = { children: (me: Data<'manageMe'>, refetch: () => void) => ReactNode };

/** Waits until it is known which account people decide for. */
export function ForAccount({ children }: ForAccountProps) {
  const account = useApiQuery('manageMe');
  const refetch = () => void account.refetch();
  if (account.data) return children(account.data.data, refetch);
  if (!account.error) return <Skeleton />;
  return (
    <AuthLayout title="We couldn’t load your account">
      <ErrorState error={account.error} onRetry={refetch} />
    </AuthLayout>
  );
}
