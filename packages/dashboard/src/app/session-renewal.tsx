import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { Reply } from '../api/client.ts';
import { setSessionRenewal } from '../api/session-renewal.ts';

const SignInAgain = lazy(() => import('../features/sign-in/renewal-dialog.tsx'));

/**
 * Asks users whose session has ended to sign in over the page, so that nothing they have typed is lost. Once for all requests
 * that wait for it. Visitors who had no session on this page are not asked.
 */
export function SessionRenewal() {
  const queryClient = useQueryClient();
  const [email, setEmail] = useState<string | null>(null);
  const waiting = useRef<((isRenewed: boolean) => void)[]>([]);
  useEffect(() => {
    setSessionRenewal(async () => {
      const me = queryClient.getQueryData<Reply<'manageMe'>>(['manageMe', {}])?.data.user;
      if (!me) return false;
      setEmail(me.email);
      return new Promise((resolve) => waiting.current.push(resolve));
    });
    return () => setSessionRenewal(null);
  }, [queryClient]);
  const close = (isRenewed: boolean) => {
    setEmail(null);
    for (const resolve of waiting.current.splice(0)) resolve(isRenewed);
  };
  return <Suspense>{email && <SignInAgain email={email} onClose={close} />}</Suspense>;
}
